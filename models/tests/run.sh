#!/bin/sh
# Differential test: the models, compiled by gcc with sanitizers over native primitives, against the host's C library.
# Needs gcc and binutils only. The models' symbols get the prefix vm_, so that both live in one program.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
models=$(dirname "$here")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
cc=${CC:-gcc}
sanitize='-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-sanitize=nonnull-attribute'
common="-std=gnu17 -O1 -g1 -w -Wno-psabi -D_GNU_SOURCE -U_FORTIFY_SOURCE -fno-builtin -fno-stack-protector $sanitize"
{
    for f in "$models"/*.c; do
        echo "$cc $common -fno-math-errno -fno-tree-loop-distribute-patterns -include $here/native_prelude.h -I$models -c -o $out/m_$(basename "$f" .c).o $f"
    done
    for f in "$here"/*.c "$models"/native/*.c; do
        echo "$cc $common -I$models -c -o $out/t_$(basename "$f" .c).o $f"
    done
} | xargs -P "$(nproc)" -I{} sh -c '{}'
# Renames every public symbol of the models, except the shared internals and the primitives.
nm -g --defined-only "$out"/m_*.o | awk 'NF == 3 && $3 !~ /^(__verify_|__asan|__odr_asan)/ { print $3, "vm_" $3 }' | sort -u >"$out/rename"
for o in "$out"/m_*.o; do
    objcopy --redefine-syms="$out/rename" "$o"
done
# shellcheck disable=SC2086
$cc $sanitize -o "$out/differential" "$out"/*.o -lm
cd "$out"
TZ=UTC LC_ALL=C ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 "$out/differential"
