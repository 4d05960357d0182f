/* What the parts of powerCut share. powerCut.c says what it models. */
#pragma once
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The name of a path in the folder of files, in which the process works. */
static inline const char *real(const char *path) { return path[1] ? path + 1 : "."; }

/* Ends the process where the model itself fails: a bench must not take that for a cut. */
static inline void must(int succeeded, const char *what) {
  if (succeeded) return;
  perror(what);
  _exit(3);
}

/* ---- pages.c ---- */

/* A file that is open or has pages in memory. Its descriptor keeps its inode number from being given to another file. */
struct node {
  ino_t ino;
  int fd, open;
  off_t size;    /* as programs see it */
  off_t on_disk; /* in the folder; bytes after it are zeros until they are written */
  char **pages;  /* NULL where the page in the folder is the newest */
  size_t pages_len;
  struct node *next;
};

/* Returns the node of an inode number, NULL if it is as in the folder. */
struct node *find_node(ino_t ino);
/* Returns the node of an open descriptor, which it takes over. */
struct node *node_of(int fd);
/* Forgets a node that nobody has open, if it is as in the folder or has no name left. */
void forget_node(struct node *node);
void forget_nodes(void);
size_t read_node(const struct node *node, char *to, size_t size, off_t offset);
void write_node(struct node *node, const char *from, size_t size, off_t offset);
void resize_node(struct node *node, off_t size);
/* Puts the pages into the folder. */
void flush_node(struct node *node);
/* Puts a random half of all pages into the folder. */
void tear_nodes(unsigned int *seed);

/* ---- names.c ---- */

enum kind { CREATE, MAKE, REMOVE, REMOVE_FOLDER, RENAME };

/* A pending change of names, with what undoes it. */
struct change {
  enum kind kind;
  ino_t ino, parent, other_parent;
  char *path, *from;
  int replaced;    /* the number of the file that had the name, see `keep`; 0 for none */
  struct stat was; /* of a removed folder */
};

ino_t ino_of(const char *path);
ino_t parent_of(const char *path);
/* Where a file that loses its name is kept until the journal commits. */
const char *keep(int number);
int next_kept(void);
void note_change(struct change change);
/* Whether names of the file or in the folder are pending. */
int is_pending(ino_t ino);
void commit(void);
/* Commits what is pending for five seconds. */
void commit_late(void);
/* Undoes all pending changes after a random one. */
void tear_names(unsigned int *seed);
