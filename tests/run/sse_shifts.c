// Shifts of all lanes of a vector: by more than they have bits as well.
// expect: exit 0
// expect-out: 3c00 fff0 0 ffff
// expect-out: 80000001 f0000000 ffffffff 0
// expect-out: 1000000000000002 2 0 0
#include <emmintrin.h>
#include <stdio.h>

static volatile int zero;

int main(void)
{
    unsigned short w[8];
    unsigned d[4];
    unsigned long long q[2];
    __m128i v = _mm_set1_epi16((short)0xff0f);
    _mm_storeu_si128((__m128i *)w, _mm_slli_epi16(v, 10 + zero));
    printf("%x ", w[3]);
    _mm_storeu_si128((__m128i *)w, _mm_srai_epi16(v, 4 + zero));
    printf("%x ", w[0]);
    _mm_storeu_si128((__m128i *)w, _mm_srli_epi16(v, 16 + zero));
    printf("%x ", w[7]);
    _mm_storeu_si128((__m128i *)w, _mm_srai_epi16(v, 99 + zero));
    printf("%x\n", w[1]);
    v = _mm_set_epi32(1, -1, 0x0fffffff, (int)0x80000001u);
    _mm_storeu_si128((__m128i *)d, _mm_slli_epi32(v, zero));
    printf("%x ", d[0]);
    _mm_storeu_si128((__m128i *)d, _mm_slli_epi32(v, 28 + zero));
    printf("%x ", d[1]);
    _mm_storeu_si128((__m128i *)d, _mm_srai_epi32(v, 31 + zero));
    printf("%x ", d[2]);
    _mm_storeu_si128((__m128i *)d, _mm_srli_epi32(v, 1 + zero));
    printf("%x\n", d[3]);
    v = _mm_set_epi64x(1, 0x4000000000000008);
    _mm_storeu_si128((__m128i *)q, _mm_srli_epi64(v, 2 + zero));
    printf("%llx %llx ", q[0], (unsigned long long)(_mm_movemask_epi8(v) + 2));
    _mm_storeu_si128((__m128i *)q, _mm_slli_epi64(v, 64 + zero));
    printf("%llx ", q[0]);
    _mm_storeu_si128((__m128i *)q, _mm_srli_epi64(v, zero + 1));
    printf("%llx\n", q[1]);
    return 0;
}
