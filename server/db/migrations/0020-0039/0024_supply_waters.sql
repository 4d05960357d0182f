CREATE TABLE "supply_waters" (
	"vendor_id" text collate "C" NOT NULL,
	"water_supply" text NOT NULL,
	"water_supply_key" text collate "C" GENERATED ALWAYS AS (lower("water_supply" collate "pg_c_utf8")) STORED NOT NULL,
	"calcium_hardness" double precision NOT NULL,
	"alkalinity" double precision NOT NULL,
	"ph" double precision NOT NULL,
	"login" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "supply_waters_vendor_id_water_supply_key_pk" PRIMARY KEY("vendor_id","water_supply_key")
);
--> statement-breakpoint
ALTER TABLE "supply_waters" ADD CONSTRAINT "supply_waters_vendor_id_accounts_id_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;
