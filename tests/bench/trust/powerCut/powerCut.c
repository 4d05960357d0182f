/*
 * powerCut: a file system over a folder that loses, at a power cut, what was not synced.
 *
 *   powerCut FOLDER MOUNT SEED     FOLDER/files has what is on the disk, FOLDER/replaced what may have to be put back
 *
 * Data. write() keeps pages of 4 kB in memory. fsync() and fdatasync() of a file, and writes of one that was opened with
 * O_SYNC or O_DSYNC, put its pages into FOLDER. close() and sync_file_range() do not. Reads see the newest data.
 *
 * Names. They follow the ordered journal of ext4: creating, renaming and removing take effect in FOLDER at once but are
 * pending, in their order, until the journal commits. It commits when a file or folder is synced that has changes pending
 * or has grown, and after five seconds. A commit covers all names before it. Owner, mode, times and shortening take
 * effect at once, as if the journal had just committed them.
 *
 * A cut is one of two signals:
 *   SIGKILL  no page survives, and all names do: the journal has just committed, and the data behind it is missing.
 *   SIGUSR1  of the pages each survives or not by the throw of a coin, so that their order is torn, and of the pending names a
 *            random beginning; the rest is undone.
 * ext4 is kinder than both: it writes data within about half a minute, and data of new blocks before their names.
 */
#define FUSE_USE_VERSION 31
#include "powerCut.h"
#include <dirent.h>
#include <fuse.h>
#include <fuse_lowlevel.h>
#include <poll.h>
#include <signal.h>
#include <sys/statvfs.h>

struct handle {
  struct node *node;
  int is_sync;
};

static unsigned int seed;
static volatile sig_atomic_t is_cut;

static struct handle *handle_of(struct fuse_file_info *fi) { return (struct handle *)(uintptr_t)fi->fh; }

static int result(int value) { return value < 0 ? -errno : value; }

static struct node *open_path(const char *path, int *error) {
  int fd = open(real(path), O_RDWR);
  if (fd < 0 && (errno == EACCES || errno == EROFS)) fd = open(real(path), O_RDONLY);
  *error = fd < 0 ? -errno : 0;
  return fd < 0 ? NULL : node_of(fd);
}

/* A file that has grown is in the journal, too. */
static void sync_node(struct node *node) {
  int must_commit = node->size > node->on_disk || is_pending(node->ino);
  flush_node(node);
  if (must_commit) commit();
}

static void *on_init(struct fuse_conn_info *conn, struct fuse_config *config) {
  /* Only this process changes the files, so that what the kernel has read stays true. */
  conn->want &= ~FUSE_CAP_AUTO_INVAL_DATA;
  config->kernel_cache = config->use_ino = config->hard_remove = 1;
  return NULL;
}

static int on_getattr(const char *path, struct stat *st, struct fuse_file_info *fi) {
  struct node *node = fi ? handle_of(fi)->node : NULL;
  if (node ? fstat(node->fd, st) : lstat(real(path), st)) return -errno;
  if (!node && S_ISREG(st->st_mode)) node = find_node(st->st_ino);
  if (node) st->st_size = node->size, st->st_blocks = (node->size + 511) / 512;
  return 0;
}

static int start(struct node *node, struct fuse_file_info *fi) {
  struct handle *handle = malloc(sizeof *handle);
  *handle = (struct handle){.node = node, .is_sync = (fi->flags & (O_DSYNC | O_SYNC)) != 0};
  node->open++;
  fi->fh = (uintptr_t)handle;
  return 0;
}

static int on_open(const char *path, struct fuse_file_info *fi) {
  int error;
  struct node *node = open_path(path, &error);
  if (!node) return error;
  if (fi->flags & O_TRUNC) resize_node(node, 0);
  return start(node, fi);
}

static int on_create(const char *path, mode_t mode, struct fuse_file_info *fi) {
  const struct fuse_context *caller = fuse_get_context();
  int fd = open(real(path), O_RDWR | O_CREAT | O_EXCL, mode);
  if (fd < 0) return errno == EEXIST && !(fi->flags & O_EXCL) ? on_open(path, fi) : -errno;
  must(fchown(fd, caller->uid, caller->gid) == 0, "fchown");
  struct node *node = node_of(fd);
  note_change((struct change){.kind = CREATE, .ino = node->ino, .parent = parent_of(path), .path = (char *)path});
  return start(node, fi);
}

static int on_release(const char *path, struct fuse_file_info *fi) {
  (void)path;
  struct handle *handle = handle_of(fi);
  handle->node->open--;
  forget_node(handle->node);
  free(handle);
  return 0;
}

static int on_read(const char *path, char *to, size_t size, off_t offset, struct fuse_file_info *fi) {
  (void)path;
  return read_node(handle_of(fi)->node, to, size, offset);
}

static int on_write(const char *path, const char *from, size_t size, off_t offset, struct fuse_file_info *fi) {
  (void)path;
  struct handle *handle = handle_of(fi);
  write_node(handle->node, from, size, offset);
  if (handle->is_sync) sync_node(handle->node);
  return size;
}

static int on_truncate(const char *path, off_t size, struct fuse_file_info *fi) {
  int error = 0;
  struct node *node = fi ? handle_of(fi)->node : open_path(path, &error);
  if (!node) return error;
  resize_node(node, size);
  forget_node(node);
  return 0;
}

static int on_fallocate(const char *path, int mode, off_t offset, off_t len, struct fuse_file_info *fi) {
  (void)path;
  if (mode != 0) return -EOPNOTSUPP;
  struct node *node = handle_of(fi)->node;
  if (offset + len > node->size) resize_node(node, offset + len);
  return 0;
}

static int on_fsync(const char *path, int only_data, struct fuse_file_info *fi) {
  (void)path, (void)only_data;
  sync_node(handle_of(fi)->node);
  return 0;
}

static int on_fsyncdir(const char *path, int only_data, struct fuse_file_info *fi) {
  (void)only_data, (void)fi;
  if (path && is_pending(ino_of(path))) commit();
  return 0;
}

static int on_mkdir(const char *path, mode_t mode) {
  const struct fuse_context *caller = fuse_get_context();
  if (mkdir(real(path), mode)) return -errno;
  must(chown(real(path), caller->uid, caller->gid) == 0, "chown");
  note_change((struct change){.kind = MAKE, .ino = ino_of(path), .parent = parent_of(path), .path = (char *)path});
  return 0;
}

static int on_unlink(const char *path) {
  struct change change = {.kind = REMOVE, .ino = ino_of(path), .parent = parent_of(path), .path = (char *)path};
  change.replaced = next_kept();
  if (rename(real(path), keep(change.replaced))) return -errno;
  note_change(change);
  return 0;
}

static int on_rmdir(const char *path) {
  struct change change = {.kind = REMOVE_FOLDER, .parent = parent_of(path), .path = (char *)path};
  if (lstat(real(path), &change.was) || rmdir(real(path))) return -errno;
  note_change(change);
  return 0;
}

static int on_rename(const char *from, const char *to, unsigned int flags) {
  if (flags) return -EINVAL;
  struct change change = {.kind = RENAME, .ino = ino_of(from), .parent = parent_of(to),
                          .other_parent = parent_of(from), .path = (char *)to, .from = (char *)from};
  /* A second name keeps the file that the new one replaces. */
  int number = next_kept();
  if (link(real(to), keep(number)) == 0) change.replaced = number;
  if (rename(real(from), real(to))) {
    int error = -errno;
    if (change.replaced) unlink(keep(change.replaced));
    return error;
  }
  note_change(change);
  return 0;
}

static int on_readdir(const char *path, void *list, fuse_fill_dir_t fill, off_t offset, struct fuse_file_info *fi,
                      enum fuse_readdir_flags flags) {
  (void)offset, (void)fi, (void)flags;
  DIR *folder = opendir(real(path));
  if (!folder) return -errno;
  for (struct dirent *entry; (entry = readdir(folder));) {
    struct stat st = {.st_ino = entry->d_ino, .st_mode = entry->d_type << 12};
    if (fill(list, entry->d_name, &st, 0, 0)) break;
  }
  closedir(folder);
  return 0;
}

static int on_chmod(const char *path, mode_t mode, struct fuse_file_info *fi) {
  return result(fi ? fchmod(handle_of(fi)->node->fd, mode) : chmod(real(path), mode));
}
static int on_chown(const char *path, uid_t uid, gid_t gid, struct fuse_file_info *fi) {
  return result(fi ? fchown(handle_of(fi)->node->fd, uid, gid) : chown(real(path), uid, gid));
}
static int on_utimens(const char *path, const struct timespec times[2], struct fuse_file_info *fi) {
  return result(fi ? futimens(handle_of(fi)->node->fd, times) : utimensat(AT_FDCWD, real(path), times, 0));
}
static int on_statfs(const char *path, struct statvfs *st) { return result(statvfs(real(path), st)); }

static const struct fuse_operations operations = {
    .init = on_init, .getattr = on_getattr, .open = on_open, .create = on_create, .release = on_release,
    .read = on_read, .write = on_write, .truncate = on_truncate, .fallocate = on_fallocate, .fsync = on_fsync,
    .fsyncdir = on_fsyncdir, .mkdir = on_mkdir, .unlink = on_unlink, .rmdir = on_rmdir, .rename = on_rename,
    .readdir = on_readdir, .chmod = on_chmod, .chown = on_chown, .utimens = on_utimens, .statfs = on_statfs,
};

/* ---- The process ---- */

static void on_cut(int signal) { is_cut = signal; }

/* Works in FOLDER/files, and empties FOLDER/replaced, whose files have lost their names for good. */
static void prepare(const char *folder) {
  must(chdir(folder) == 0, folder);
  must(mkdir("files", 0755) == 0 || errno == EEXIST, "files");
  must(mkdir("replaced", 0700) == 0 || errno == EEXIST, "replaced");
  must(chdir("files") == 0, "files");
  DIR *replaced = opendir("../replaced");
  must(replaced != NULL, "replaced");
  for (struct dirent *entry; (entry = readdir(replaced));)
    if (entry->d_name[0] != '.') unlinkat(dirfd(replaced), entry->d_name, 0);
  closedir(replaced);
}

/* Serves one request after the other; the signal of a cut is taken only between two of them. */
static int serve(struct fuse_session *session) {
  struct fuse_buf buffer = {0};
  struct pollfd device = {.fd = fuse_session_fd(session), .events = POLLIN};
  sigset_t none;
  sigemptyset(&none);
  while (!fuse_session_exited(session)) {
    ppoll(&device, 1, &(struct timespec){.tv_sec = 1}, &none);
    if (is_cut) {
      tear_nodes(&seed);
      tear_names(&seed);
      _exit(0);
    }
    commit_late();
    if (!device.revents) continue;
    int received = fuse_session_receive_buf(session, &buffer);
    if (received > 0) fuse_session_process_buf(session, &buffer);
    else if (received != -EINTR && received != -EAGAIN) return received < 0;
  }
  return 0;
}

int main(int argc, char *argv[]) {
  if (argc != 4) return 2;
  prepare(argv[1]);
  seed = strtoul(argv[3], NULL, 10);
  umask(0);
  sigset_t cut;
  sigemptyset(&cut);
  sigaddset(&cut, SIGUSR1);
  sigprocmask(SIG_BLOCK, &cut, NULL);
  sigaction(SIGUSR1, &(struct sigaction){.sa_handler = on_cut}, NULL);
  /* Root's PostgreSQL runs as another user. */
  char *options[] = {argv[0], "-o", getuid() == 0 ? "default_permissions,fsname=powerCut,allow_other"
                                                  : "default_permissions,fsname=powerCut"};
  struct fuse_args args = FUSE_ARGS_INIT(3, options);
  struct fuse *fuse = fuse_new(&args, &operations, sizeof operations, NULL);
  if (!fuse || fuse_mount(fuse, argv[2])) return 1;
  puts("mounted");
  fflush(stdout);
  return serve(fuse_get_session(fuse));
}
