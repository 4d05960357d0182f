/* The journal of names: what is pending, and what undoes it. */
#include "powerCut.h"

enum { commit_after = 5 };

static struct change *changes;
static size_t changes_len, changes_room;
static time_t oldest_change;
static int last_kept;

int next_kept(void) { return ++last_kept; }

const char *keep(int number) {
  static char path[64];
  snprintf(path, sizeof path, "../replaced/%d", number);
  return path;
}

ino_t ino_of(const char *path) {
  struct stat st;
  return lstat(real(path), &st) == 0 ? st.st_ino : 0;
}

ino_t parent_of(const char *path) {
  char *folder = strdup(path);
  strrchr(folder, '/')[1] = '\0';
  ino_t ino = ino_of(folder);
  free(folder);
  return ino;
}

void note_change(struct change change) {
  if (changes_len == changes_room) {
    changes_room = changes_room * 2 + 64;
    changes = realloc(changes, changes_room * sizeof *changes);
    must(changes != NULL, "realloc");
  }
  if (changes_len == 0) oldest_change = time(NULL);
  change.path = strdup(change.path);
  if (change.from) change.from = strdup(change.from);
  changes[changes_len++] = change;
}

void commit(void) {
  int removed = 0;
  for (size_t i = 0; i < changes_len; i++) {
    if (changes[i].replaced) must(unlink(keep(changes[i].replaced)) == 0, "unlink"), removed = 1;
    free(changes[i].path);
    free(changes[i].from);
  }
  changes_len = 0;
  if (removed) forget_nodes();
}

int is_pending(ino_t ino) {
  for (size_t i = 0; i < changes_len; i++)
    if (changes[i].ino == ino || changes[i].parent == ino || changes[i].other_parent == ino) return 1;
  return 0;
}

static void undo(const struct change *change) {
  const char *path = change->path;
  switch (change->kind) {
    case CREATE: must(unlink(real(path)) == 0, path); break;
    case MAKE: must(rmdir(real(path)) == 0, path); break;
    case REMOVE: must(rename(keep(change->replaced), real(path)) == 0, path); break;
    case REMOVE_FOLDER:
      must(mkdir(real(path), change->was.st_mode) == 0, path);
      must(chown(real(path), change->was.st_uid, change->was.st_gid) == 0, path);
      break;
    case RENAME:
      must(rename(real(path), real(change->from)) == 0, path);
      if (change->replaced) must(rename(keep(change->replaced), real(path)) == 0, path);
      break;
  }
}

void commit_late(void) {
  if (changes_len > 0 && time(NULL) - oldest_change >= commit_after) commit();
}

void tear_names(unsigned int *seed) {
  size_t kept = (rand_r(seed) >> 8) % (changes_len + 1);
  while (changes_len > kept) undo(&changes[--changes_len]);
}
