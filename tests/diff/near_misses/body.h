// One source for both versions: SEL(old, new). Each function was once called equal.
#include <stdlib.h>
#include <string.h>
static int fa(int x){ return x+SEL(1,2); }
static int (*const tab[1])(int)={fa};
int call(int i,int x){ return tab[i](x); }
struct ops{int(*f)(int);int(*g)(int);};
static int f1(int x){return x+1;} static int f2(int x){return x+SEL(2,3);}
int use(int x){ struct ops o={f1,f2}; return o.g(x); }
static const unsigned char raw[3]={1,2,SEL(3,4)};
struct cfg{const unsigned char*data;int n;};
static const struct cfg c={raw,3};
int last(void){ return c.data[c.n-1]; }
struct T{const int*v;int n;};
const struct T t={(const int[]){1,2,SEL(3,4)},3};
int lastt(void){ return t.v[2]; }
int g; void reg(void*,void*);
void f(void){ SEL(reg(&g,0), reg(0,&g)); }
int *pick(int c){ return SEL(c?&g:0, c?0:&g); }
struct S { SEL(int a; int b;, int b; int a;) };
int first(void){ struct S s={1,2}; return s.a; }
struct S2 { int a; SEL(,int b;) };
long stride(struct S2*p){ return (char*)(p+1)-(char*)p; }
long off(struct S*p){ return (char*)&p->b-(char*)p; }
int second(struct S*p){ return ((int*)p)[1]; }
int cast(struct S*p){ return *(int*)p; }
void cp(struct S*p,struct S*q){ memcpy(p,q,4); }
int cmp(struct S*p,struct S*q){ return memcmp(p,q,sizeof*p)<0; }
int nx(struct S*p){ return (&p->a)[1]; }
int un(union{struct S s;int i[2];}*u){ return u->i[0]; }
long val(struct S s){ long l; memcpy(&l,&s,8); return l; }
static struct S arr[2]={{1,2},{3,4}};
int pb3(void){ struct S*p=&arr[1]; return p->a; }
int fine(struct S*p){ return p->a+2*p->b; }
void setfine(struct S*p,int x){ p->b=x; }
#include <stdatomic.h>
_Atomic int at;
void ata(int x){ atomic_store_explicit(&at,x,SEL(memory_order_release,memory_order_relaxed)); }
int vf(int n){ int s=0,i=0; do{ s+=10/(n-n); i++; }while(i<10); return SEL(s,s+1); }
void ext(void); SEL(const,) int T3[3]={1,2,3};
int g3(unsigned i,int x){ int a=T3[i%3]; ext(); return a-T3[i%3]+SEL(x+x,2*x); }
void put(int); int g4;
void mayexit(int y){ SEL(put(y==77777), put(0)); ext(); g4 = 100/(y-77777); }
unsigned H(unsigned y){ y*=2654435761u; y^=y>>13; y*=0x5bd1e995u; return y; }
static void chk(unsigned y){ if(H(y)==0x1234567u) exit(1); }
int hoist(unsigned y){ SEL(chk(y); return 100/(H(y)-0x1234567u);, int r=100/(H(y)-0x1234567u); chk(y); return r;) }
unsigned un1(unsigned a){
#ifdef OLD
  unsigned x=0; int i,j;
  for(i=0;i<1;i++) for(j=0;j<2;j++){ x=a*3+j; if(x==0x12345679u) return x; }
  return 0;
#else
  if(a*3==0x12345679u) return a*3+1;
  if(a*3+1==0x12345679u) return a*3+1;
  return 0;
#endif
}
