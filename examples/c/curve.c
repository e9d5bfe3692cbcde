/* cc -std=c11 -I FOLDER/prfast/include curve.c -L FOLDER -lprfast -lpthread -o curve
 * ./curve DATA n m dim                                                                           */
#include <inttypes.h>
#include <prfast.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void ok(int status)
{
    if (status == PRFAST_OK)
        return;
    fprintf(stderr, "%s\n", prfast_status_text(status));
    exit(1);
}

static double *numbers(int64_t count)
{
    double *x = calloc((size_t)count, sizeof *x);
    if (!x)
        ok(PRFAST_NO_MEMORY);
    return x;
}

static prfast_points read_points(const char *folder, const char *name, int64_t count, int64_t dim)
{
    char path[4096];
    double *rows = numbers(count * dim);
    snprintf(path, sizeof path, "%s/%s.f64", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file || fread(rows, sizeof *rows, (size_t)(count * dim), file) != (size_t)(count * dim)) {
        perror(path);
        exit(1);
    }
    fclose(file);
    return (prfast_points){.rows = rows, .count = count, .dim = dim, .stride = dim, .wide = 1};
}

static void show(const char *name, const double *x, int64_t count)
{
    printf("%s", name);
    for (int64_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, x + i, sizeof bits);
        printf(" %016" PRIx64, bits);
    }
    printf("\n");
}

static void show_counts(const char *name, const int64_t *x, int64_t count)
{
    printf("%s", name);
    for (int64_t i = 0; i < count; i++)
        printf(" %" PRId64, x[i]);
    printf("\n");
}

/* What one thread does: the k-th distances of some queries, into its part of the whole. */
typedef struct {
    const prfast_points *queries, *refs;
    int within, status;
    int64_t first, count;
    double *d2;
} part;

static const int64_t third = 3;

static void *work(void *argument)
{
    part *p = argument;
    p->status = prfast_kth_distances(p->queries, p->refs, p->within, &third, 1, p->first, p->count,
                                     p->d2 + p->first);
    return NULL;
}

/* On two threads of our own: prfast is serial, and calls know nothing of each other. */
static double *kth(const prfast_points *queries, const prfast_points *refs, int within)
{
    int64_t half = queries->count / 2;
    double *d2 = numbers(queries->count);
    part parts[2] = {{queries, refs, within, 0, 0, half, d2},
                     {queries, refs, within, 0, half, queries->count - half, d2}};
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, &parts[0]))
        exit(1);
    work(&parts[1]);
    pthread_join(thread, NULL);
    ok(parts[0].status);
    ok(parts[1].status);
    return d2;
}

int main(int argc, char **argv)
{
    if (argc != 5 || prfast_abi() != PRFAST_ABI)
        return 2;
    int64_t n = atoll(argv[2]), m = atoll(argv[3]), dim = atoll(argv[4]);
    prfast_points real = read_points(argv[1], "real", n, dim);
    prfast_points fake = read_points(argv[1], "fake", m, dim);

    double *radius = kth(&real, &real, 1), *near = kth(&fake, &real, 0);
    int64_t *held = calloc((size_t)m, sizeof *held), *covers = calloc((size_t)n, sizeof *covers);
    if (!held || !covers)
        ok(PRFAST_NO_MEMORY);
    ok(prfast_count(&fake, &real, NULL, radius, 1, 0, m, held, covers));
    show("radius", radius, n);
    show_counts("held", held, m);
    show_counts("covers", covers, n);
    show("near", near, m);

    for (int64_t i = 0; i < n; i++)
        radius[i] = -radius[i];
    for (int64_t j = 0; j < m; j++)
        near[j] = -near[j];
    int64_t room = prfast_sweep_room(n, m), cells;
    double *p = numbers(room), *q = numbers(room);
    ok(prfast_sweep(radius, n, near, m, p, q, &cells));
    show("p", p, cells);
    show("q", q, cells);

    double *fpr = numbers(cells + 1), *fnr = numbers(cells + 1), *ratio = numbers(cells + 1);
    ok(prfast_vertices(p, q, cells, fpr, fnr, ratio));
    show("fpr", fpr, cells + 1);
    show("fnr", fnr, cells + 1);
    show("ratio", ratio, cells + 1);

    double lam[] = {2.0, 0.0, 0.5}, alpha[3];
    ok(prfast_min_sums(p, q, cells, lam, 3, alpha));
    show("alpha", alpha, 3);

    int64_t zero = 0;
    int status = prfast_kth_distances(&fake, &real, 0, &zero, 1, 0, m, near);
    printf("refused %s\n", prfast_status_text(status));
    free(radius), free(near), free(held), free(covers), free(p), free(q), free(fpr), free(fnr);
    free(ratio), free((void *)(uintptr_t)real.rows), free((void *)(uintptr_t)fake.rows);
    return 0;
}
