/* Data that is written and not synced, in pages. */
#include "powerCut.h"

enum { page_size = 4096, buckets = 4096 };

static struct node *nodes[buckets];

static off_t least(off_t a, off_t b) { return a < b ? a : b; }

struct node *find_node(ino_t ino) {
  struct node *node = nodes[ino % buckets];
  while (node && node->ino != ino) node = node->next;
  return node;
}

static int has_pages(const struct node *node) {
  if (node->size != node->on_disk) return 1;
  for (size_t i = 0; i < node->pages_len; i++)
    if (node->pages[i]) return 1;
  return 0;
}

void forget_node(struct node *node) {
  struct stat st;
  if (node->open > 0 || (has_pages(node) && fstat(node->fd, &st) == 0 && st.st_nlink > 0)) return;
  struct node **at = &nodes[node->ino % buckets];
  while (*at != node) at = &(*at)->next;
  *at = node->next;
  for (size_t i = 0; i < node->pages_len; i++) free(node->pages[i]);
  free(node->pages);
  close(node->fd);
  free(node);
}

struct node *node_of(int fd) {
  struct stat st;
  must(fstat(fd, &st) == 0, "fstat");
  struct node *node = find_node(st.st_ino);
  if (node) {
    close(fd);
    return node;
  }
  node = calloc(1, sizeof *node);
  *node = (struct node){.ino = st.st_ino, .fd = fd, .size = st.st_size, .on_disk = st.st_size,
                        .next = nodes[st.st_ino % buckets]};
  nodes[st.st_ino % buckets] = node;
  return node;
}

/* Copies a page as it is now; zeros after the end. */
static void copy_page(const struct node *node, size_t page, char *to) {
  if (page < node->pages_len && node->pages[page]) {
    memcpy(to, node->pages[page], page_size);
    return;
  }
  off_t start = (off_t)page * page_size;
  memset(to, 0, page_size);
  if (start >= node->on_disk) return;
  must(pread(node->fd, to, least(page_size, node->on_disk - start), start) >= 0, "pread");
}

/* Returns a page in memory, for changing it. */
static char *dirty_page(struct node *node, size_t page) {
  if (page >= node->pages_len) {
    size_t len = page * 2 + 8;
    node->pages = realloc(node->pages, len * sizeof *node->pages);
    must(node->pages != NULL, "realloc");
    memset(node->pages + node->pages_len, 0, (len - node->pages_len) * sizeof *node->pages);
    node->pages_len = len;
  }
  if (!node->pages[page]) {
    char *copy = malloc(page_size);
    must(copy != NULL, "malloc");
    copy_page(node, page, copy);
    node->pages[page] = copy;
  }
  return node->pages[page];
}

static void write_page(struct node *node, size_t page) {
  off_t start = (off_t)page * page_size;
  off_t len = least(page_size, node->size - start);
  must(len <= 0 || pwrite(node->fd, node->pages[page], len, start) == len, "pwrite");
  if (start + len > node->on_disk) node->on_disk = start + len;
  free(node->pages[page]);
  node->pages[page] = NULL;
}

void resize_node(struct node *node, off_t size) {
  if (size < node->size) {
    size_t kept = (size + page_size - 1) / page_size;
    for (size_t i = kept; i < node->pages_len; i++) {
      free(node->pages[i]);
      node->pages[i] = NULL;
    }
    if (size % page_size && kept <= node->pages_len && node->pages[kept - 1])
      memset(node->pages[kept - 1] + size % page_size, 0, page_size - size % page_size);
    if (size < node->on_disk) {
      must(ftruncate(node->fd, size) == 0, "ftruncate");
      node->on_disk = size;
    }
  }
  node->size = size;
}

size_t read_node(const struct node *node, char *to, size_t size, off_t offset) {
  if (offset >= node->size) return 0;
  size_t len = least(size, node->size - offset);
  char page[page_size];
  for (size_t done = 0, part; done < len; done += part) {
    off_t at = offset + done;
    part = least(page_size - at % page_size, len - done);
    copy_page(node, at / page_size, page);
    memcpy(to + done, page + at % page_size, part);
  }
  return len;
}

void write_node(struct node *node, const char *from, size_t size, off_t offset) {
  for (size_t done = 0, part; done < size; done += part) {
    off_t at = offset + done;
    part = least(page_size - at % page_size, size - done);
    memcpy(dirty_page(node, at / page_size) + at % page_size, from + done, part);
  }
  if (offset + (off_t)size > node->size) node->size = offset + size;
}

void flush_node(struct node *node) {
  for (size_t page = 0; page < node->pages_len; page++)
    if (node->pages[page]) write_page(node, page);
  if (node->on_disk != node->size) must(ftruncate(node->fd, node->size) == 0, "ftruncate");
  node->on_disk = node->size;
}

void tear_nodes(unsigned int *seed) {
  for (int i = 0; i < buckets; i++)
    for (struct node *node = nodes[i]; node; node = node->next)
      for (size_t page = 0; page < node->pages_len; page++)
        if (node->pages[page] && rand_r(seed) & 0x100) write_page(node, page);
}

void forget_nodes(void) {
  for (int i = 0; i < buckets; i++)
    for (struct node *node = nodes[i], *next; node; node = next) next = node->next, forget_node(node);
}
