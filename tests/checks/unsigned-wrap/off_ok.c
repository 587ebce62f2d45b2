// Nobody asked: unsigned arithmetic wraps and narrowing drops bits by definition.
int main(void) {
    unsigned h = 5381;
    for (int i = 0; i < 9; i++) h = h * 33u + 0xdeadbeefu;
    unsigned char low = h;
    return low == 255;
}
