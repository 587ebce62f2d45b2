/* A box of numbers. */
struct box {
    int size;
    int *at;
};

struct box *box_new(int size);
void box_free(struct box *b);
