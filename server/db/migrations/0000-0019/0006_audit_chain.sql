ALTER TABLE "audit" ADD COLUMN "created_ids" text[];--> statement-breakpoint
ALTER TABLE "audit" ADD COLUMN "ended_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "audit" ADD COLUMN "count" integer;--> statement-breakpoint
ALTER TABLE "audit" ADD COLUMN "counting" timestamp (3) with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "audit_counting" ON "audit" USING btree ("counting","action","address","outcome") WHERE counting is not null;--> statement-breakpoint
CREATE INDEX "audit_started" ON "audit" USING btree ("at") WHERE outcome = 'started';--> statement-breakpoint
CREATE TABLE "audit_links" (
	"position" bigint PRIMARY KEY NOT NULL,
	"entry" bigint NOT NULL,
	"kind" text NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_chain" (
	"id" smallint PRIMARY KEY NOT NULL CHECK ("id" = 1),
	"position" bigint NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
-- What a link covers, in the encoding of server/audit/chain.ts: each value as its length in bytes, ':' and its text.
CREATE FUNCTION "audit_field"("value" text) RETURNS text LANGUAGE sql STABLE AS $$
	SELECT CASE WHEN "value" IS NULL THEN '-' ELSE octet_length("value") || ':' || "value" END || ','
$$;--> statement-breakpoint
CREATE FUNCTION "audit_ids"("ids" text[]) RETURNS text LANGUAGE sql STABLE AS $$
	SELECT CASE WHEN "ids" IS NOT NULL THEN
		(SELECT coalesce(string_agg("audit_field"("id"), '' ORDER BY "n"), '') FROM unnest("ids") WITH ORDINALITY AS "each" ("id", "n"))
	END
$$;--> statement-breakpoint
CREATE FUNCTION "audit_time"("at" timestamp with time zone) RETURNS text LANGUAGE sql STABLE AS $$
	SELECT (extract(epoch FROM "at") * 1000)::bigint::text
$$;--> statement-breakpoint
CREATE FUNCTION "audit_content"("entry" "audit", "kind" text) RETURNS text LANGUAGE sql STABLE AS $$
	SELECT "audit_field"(("entry")."id"::text)
		|| CASE WHEN "kind" IN ('entry', 'call') THEN
			"audit_field"("audit_time"(("entry")."at"))
			|| "audit_field"(("entry")."account_id")
			|| "audit_field"(("entry")."login")
			|| "audit_field"(("entry")."role")
			|| "audit_field"(("entry")."action")
			|| "audit_field"("audit_ids"(("entry")."ids"))
			|| "audit_field"(("entry")."values"::text)
			|| "audit_field"(("entry")."address")
		ELSE '' END
		|| CASE WHEN "kind" IN ('entry', 'outcome') THEN
			"audit_field"(("entry")."outcome")
			|| "audit_field"(("entry")."status"::text)
			|| "audit_field"(("entry")."done"::text)
			|| "audit_field"(("entry")."failed"::text)
			|| "audit_field"(("entry")."message")
			|| "audit_field"("audit_ids"(("entry")."created_ids"))
			|| "audit_field"("audit_time"(("entry")."ended_at"))
			|| "audit_field"(("entry")."count"::text)
		ELSE '' END
$$;--> statement-breakpoint
CREATE FUNCTION "audit_hash"("position" bigint, "kind" text, "previous" text, "entry" "audit") RETURNS text LANGUAGE sql STABLE AS $$
	SELECT encode(sha256(convert_to("position" || ' ' || "kind" || ' ' || "previous" || ' ' || "audit_content"("entry", "kind"), 'UTF8')), 'hex')
$$;--> statement-breakpoint
-- The entries of earlier versions get their links here, in the order of their ids.
DO $$
DECLARE
	"at_position" bigint := 0;
	"last_hash" text := repeat('0', 64);
	"earlier" "audit";
BEGIN
	FOR "earlier" IN SELECT * FROM "audit" ORDER BY "id" LOOP
		"at_position" := "at_position" + 1;
		"last_hash" := "audit_hash"("at_position", 'entry', "last_hash", "earlier");
		INSERT INTO "audit_links" VALUES ("at_position", "earlier"."id", 'entry', "last_hash");
	END LOOP;
	INSERT INTO "audit_chain" VALUES (1, "at_position", "last_hash");
END
$$;--> statement-breakpoint
-- After the links of earlier entries, because that is faster.
CREATE INDEX "audit_links_by_entry" ON "audit_links" USING btree ("entry");--> statement-breakpoint
-- Appends a link for each entry and each outcome. The row of "audit_chain" puts those of all servers in one order: its
-- lock is held until the statement is committed.
CREATE FUNCTION "link_audit_entry"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	"link_kind" text;
	"last" "audit_chain";
	"new_hash" text;
BEGIN
	"link_kind" := CASE
		WHEN NEW."counting" IS NOT NULL THEN NULL
		WHEN TG_OP = 'INSERT' AND NEW."outcome" = 'started' THEN 'call'
		WHEN TG_OP = 'INSERT' OR OLD."counting" IS NOT NULL THEN 'entry'
		WHEN NEW."outcome" = 'interrupted' THEN 'interrupted'
		ELSE 'outcome'
	END;
	IF "link_kind" IS NULL THEN
		RETURN NULL;
	END IF;
	SELECT * INTO STRICT "last" FROM "audit_chain" FOR UPDATE;
	"new_hash" := "audit_hash"("last"."position" + 1, "link_kind", "last"."hash", NEW);
	INSERT INTO "audit_links" VALUES ("last"."position" + 1, NEW."id", "link_kind", "new_hash");
	UPDATE "audit_chain" SET "position" = "last"."position" + 1, "hash" = "new_hash";
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "audit_linked" AFTER INSERT OR UPDATE ON "audit" FOR EACH ROW EXECUTE FUNCTION "link_audit_entry"();--> statement-breakpoint
-- An entry changes in two ways only: a call that has begun gets its outcome, and a count of calls goes up until it is closed.
CREATE FUNCTION "refuse_audit_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF (OLD."id", OLD."at", OLD."action", OLD."values", OLD."address") IS DISTINCT FROM
		(NEW."id", NEW."at", NEW."action", NEW."values", NEW."address") THEN
		RAISE EXCEPTION 'The audit is append-only';
	END IF;
	IF OLD."counting" IS NOT NULL AND OLD."outcome" = NEW."outcome" AND NEW."count" >= OLD."count"
		AND NEW."ids" @> OLD."ids" AND (NEW."counting" = OLD."counting" OR NEW."counting" IS NULL) THEN
		RETURN NEW;
	END IF;
	IF OLD."outcome" IN ('started', 'interrupted') AND NEW."outcome" NOT IN ('started', OLD."outcome")
		AND (OLD."account_id", OLD."login", OLD."role", OLD."ids", OLD."count", OLD."counting") IS NOT DISTINCT FROM
			(NEW."account_id", NEW."login", NEW."role", NEW."ids", NEW."count", NEW."counting")
		AND (NEW."outcome" <> 'interrupted'
			OR (OLD."status", OLD."done", OLD."failed", OLD."message", OLD."created_ids", OLD."ended_at") IS NOT DISTINCT FROM
				(NEW."status", NEW."done", NEW."failed", NEW."message", NEW."created_ids", NEW."ended_at")) THEN
		RETURN NEW;
	END IF;
	RAISE EXCEPTION 'The audit is append-only';
END
$$;--> statement-breakpoint
DROP TRIGGER "audit_append_only" ON "audit";--> statement-breakpoint
CREATE TRIGGER "audit_append_only" BEFORE DELETE OR TRUNCATE ON "audit" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();--> statement-breakpoint
CREATE TRIGGER "audit_ends_once" BEFORE UPDATE ON "audit" FOR EACH ROW EXECUTE FUNCTION "refuse_audit_update"();--> statement-breakpoint
CREATE TRIGGER "audit_links_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_links" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();
