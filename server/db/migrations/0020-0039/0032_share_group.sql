CREATE TABLE "share_groups" (
	"id" smallint PRIMARY KEY NOT NULL,
	"name" text NOT NULL
);
