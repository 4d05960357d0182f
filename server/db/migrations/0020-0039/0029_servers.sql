CREATE TABLE "servers" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"roles" text[] NOT NULL,
	"version" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"cpu" double precision NOT NULL,
	"lag" double precision NOT NULL,
	"memory" double precision NOT NULL,
	"devices" integer,
	"readings" double precision,
	"pending" integer
);
--> statement-breakpoint
CREATE INDEX "servers_seen" ON "servers" USING btree ("seen_at");
