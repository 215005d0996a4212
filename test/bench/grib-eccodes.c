/* Decodes one message again and again, once for every line on stdin, and prints the nanoseconds of
 * codes_get_double_array. Arguments: FILE MESSAGE (from 0). First line of output: the number of points. */
#include <eccodes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  FILE *file = fopen(argv[1], "rb");
  if (!file) return 2;
  int error = 0;
  codes_handle *handle = NULL;
  for (int k = 0; k <= atoi(argv[2]); k++) {
    if (handle) codes_handle_delete(handle);
    handle = codes_handle_new_from_file(NULL, file, PRODUCT_GRIB, &error);
    if (!handle) return 3;
  }
  size_t points = 0;
  if (codes_get_size(handle, "values", &points)) return 4;
  double *values = malloc(points * sizeof(double));
  printf("%zu\n", points);
  fflush(stdout);
  char line[16];
  while (fgets(line, sizeof line, stdin)) {
    struct timespec from, to;
    size_t length = points;
    clock_gettime(CLOCK_MONOTONIC, &from);
    error = codes_get_double_array(handle, "values", values, &length);
    clock_gettime(CLOCK_MONOTONIC, &to);
    if (error) return 5;
    printf("%lld\n", (to.tv_sec - from.tv_sec) * 1000000000LL + (to.tv_nsec - from.tv_nsec));
    fflush(stdout);
  }
  return 0;
}
