// Any number may come.
int next(int x) {
    return x + 1; //~ latent[signed-overflow]
}
