CREATE TABLE "idempotency_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"fingerprint" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"lease_until" timestamp (3) with time zone,
	"status" smallint,
	"response" text
);
--> statement-breakpoint
CREATE TABLE "queued_mails" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"account_id" text,
	"queued_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"error" text,
	"gave_up_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "unevaluated_readings" (
	"id" text PRIMARY KEY NOT NULL,
	"stored_at" timestamp (3) with time zone NOT NULL,
	"bssids" text[] NOT NULL,
	"ats" timestamp (3) with time zone[] NOT NULL
);
--> statement-breakpoint
CREATE INDEX "idempotency_keys_age" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "queued_mails_due" ON "queued_mails" USING btree ("due_at") WHERE "queued_mails"."gave_up_at" is null;--> statement-breakpoint
CREATE INDEX "queued_mails_account" ON "queued_mails" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "queued_mails_given_up" ON "queued_mails" USING btree ("gave_up_at") WHERE "queued_mails"."gave_up_at" is not null;--> statement-breakpoint
CREATE INDEX "unevaluated_readings_age" ON "unevaluated_readings" USING btree ("stored_at");--> statement-breakpoint
-- Rows live for a moment, so most of the table is dead rows without frequent vacuums.
alter table unevaluated_readings set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500,
	toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 2000);
