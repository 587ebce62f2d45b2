#!/bin/sh
# Compiles every model as verify does (clang 19, the flags in ../flags, the sanitizers of a capture) and checks what comes
# out: nothing is undefined but primitives and other models, nothing is defined twice, and mem* and the libm forms are
# instructions, not calls of themselves.
set -eu
models=$(cd "$(dirname "$0")/.." && pwd)
clang=${VERIFY_CLANG:-clang-19}
nm=${VERIFY_LLVM_NM:-llvm-nm-19}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
flags=$(grep -v '^#' "$models/flags" | tr '\n' ' ')
sanitize='-fsanitize=signed-integer-overflow,shift-exponent,integer-divide-by-zero,unreachable,array-bounds,vla-bound,bool,builtin,nonnull-attribute,returns-nonnull-attribute,float-cast-overflow -fno-sanitize-recover=all'
for f in "$models"/*.c; do
    echo "$clang $flags $sanitize -I$models -c -emit-llvm -o $out/$(basename "$f" .c).bc $f && $clang -w -S -emit-llvm -Xclang -disable-llvm-passes -o $out/$(basename "$f" .c).ll $out/$(basename "$f" .c).bc"
done | xargs -P "$(nproc)" -I{} sh -c '{}'
status=0
"$nm" --defined-only --extern-only "$out"/*.bc | awk 'NF == 3 { print $3 }' | sort >"$out/defined"
uniq -d "$out/defined" | sed 's/^/defined twice: /' | grep . && status=1
"$nm" --undefined-only "$out"/*.bc | awk 'NF == 2 { print $2 }' | sort -u >"$out/undefined"
sed -n 's/.*[ *]\(__verify_[a-z0-9_]*\)(.*/\1/p' "$models/verify_primitives.h" | sort -u >"$out/primitives"
sort -u "$out/defined" "$out/primitives" | comm -23 "$out/undefined" - | grep -v '^__ubsan_handle_' | sed 's/^/undefined: /' | grep . && status=1
# A function that calls itself where it should be an instruction.
awk '/^define/ { match($0, /@[A-Za-z0-9_.]+/); f = substr($0, RSTART, RLENGTH) }
     /call / { if (index($0, f "(") && f !~ /sort|deliver|format_time|unmodelled|parse|tdestroy|walk/) print "calls itself: " f }' "$out"/*.ll | sort -u | grep . && status=1
echo "models: $(sort -u "$out/defined" | grep -vc '^__verify_') symbols in $(ls "$models"/*.c | wc -l) files"
exit $status
