CREATE TABLE "accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"role" text NOT NULL,
	"login" text NOT NULL,
	"password_hash" text NOT NULL,
	"first_name" text DEFAULT '' NOT NULL,
	"last_name" text DEFAULT '' NOT NULL,
	"blocked" boolean DEFAULT false NOT NULL,
	"email_confirmed" boolean DEFAULT false NOT NULL,
	"company_name" text DEFAULT '' NOT NULL,
	"company_address" text DEFAULT '' NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "accounts_role_check" CHECK ("accounts"."role" in ('superadmin', 'admin', 'vendor', 'user'))
);
--> statement-breakpoint
CREATE TABLE "device_cartridges" (
	"bssid" text collate "C" NOT NULL,
	"position" smallint NOT NULL,
	"cartridge_type_id" text collate "C" NOT NULL,
	"installed_at" timestamp (3) with time zone NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "device_cartridges_bssid_position_pk" PRIMARY KEY("bssid","position")
);
--> statement-breakpoint
CREATE TABLE "devices" (
	"bssid" text collate "C" PRIMARY KEY NOT NULL,
	"platform" text NOT NULL,
	"platform_key" text collate "C" GENERATED ALWAYS AS (lower("platform" collate "pg_c_utf8")) STORED NOT NULL,
	"model_id" text collate "C" NOT NULL,
	"filtration_system_id" text collate "C",
	"vendor_id" text collate "C" NOT NULL,
	"status" smallint DEFAULT 3 NOT NULL,
	"locked" boolean DEFAULT false NOT NULL,
	"valve_closed" boolean DEFAULT false NOT NULL,
	"rejection_rate" double precision,
	"recovery_rate" double precision,
	"temperature" double precision,
	"pressure" double precision,
	"feed_tds" double precision,
	"permeate_tds" double precision,
	"feed" double precision DEFAULT 0 NOT NULL,
	"permeate" double precision DEFAULT 0 NOT NULL,
	"waste" double precision DEFAULT 0 NOT NULL,
	"flush_smart" text,
	"flush_mode" smallint DEFAULT 0 NOT NULL,
	"flush_frequency" smallint DEFAULT 5 NOT NULL,
	"flush_duration" smallint DEFAULT 18 NOT NULL,
	"flush_volume" double precision DEFAULT 0 NOT NULL,
	"idle_protection" smallint DEFAULT 0 NOT NULL,
	"bypass_smart" smallint DEFAULT 0 NOT NULL,
	"bypass_state" smallint DEFAULT 0 NOT NULL,
	"uv" smallint DEFAULT 0 NOT NULL,
	"firmware" text DEFAULT '' NOT NULL,
	"firmware_key" text collate "C" GENERATED ALWAYS AS (lower("firmware" collate "pg_c_utf8")) STORED NOT NULL,
	"last_active" timestamp (3) with time zone,
	"description" text DEFAULT '' NOT NULL,
	"description_key" text collate "C" GENERATED ALWAYS AS (lower("description" collate "pg_c_utf8")) STORED NOT NULL,
	"power_mode" smallint DEFAULT 0 NOT NULL,
	"battery_level" double precision,
	"next_replacement_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "share_codes" (
	"bssid" text collate "C" PRIMARY KEY NOT NULL,
	"code_hash" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "share_codes_code_hash_unique" UNIQUE("code_hash")
);
--> statement-breakpoint
CREATE TABLE "cartridge_types" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"model" text NOT NULL,
	"model_key" text collate "C" GENERATED ALWAYS AS (lower("model" collate "pg_c_utf8")) STORED NOT NULL,
	"type" smallint NOT NULL,
	"resource" integer NOT NULL,
	"ttl" integer NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"purchase_url" text DEFAULT '' NOT NULL,
	"image_url" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "cartridge_types_model_key_unique" UNIQUE("model_key")
);
--> statement-breakpoint
CREATE TABLE "filtration_system_cartridges" (
	"filtration_system_id" text collate "C" NOT NULL,
	"position" smallint NOT NULL,
	"cartridge_type_id" text collate "C" NOT NULL,
	CONSTRAINT "filtration_system_cartridges_filtration_system_id_position_pk" PRIMARY KEY("filtration_system_id","position")
);
--> statement-breakpoint
CREATE TABLE "filtration_system_groups" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"name_key" text collate "C" GENERATED ALWAYS AS (lower("name" collate "pg_c_utf8")) STORED NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "filtration_system_groups_name_key_unique" UNIQUE("name_key")
);
--> statement-breakpoint
CREATE TABLE "filtration_systems" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"model" text NOT NULL,
	"model_key" text collate "C" GENERATED ALWAYS AS (lower("model" collate "pg_c_utf8")) STORED NOT NULL,
	"group_id" text collate "C",
	"vendor_id" text collate "C",
	"flushing" boolean DEFAULT false NOT NULL,
	"flush_smart" text,
	"flush_mode" smallint DEFAULT 0 NOT NULL,
	"flush_frequency" smallint DEFAULT 5 NOT NULL,
	"flush_duration" smallint DEFAULT 18 NOT NULL,
	"flush_volume" double precision DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "filtration_systems_model_key_unique" UNIQUE("model_key")
);
--> statement-breakpoint
CREATE TABLE "device_model_vendors" (
	"model_id" text collate "C" NOT NULL,
	"vendor_id" text collate "C" NOT NULL,
	CONSTRAINT "device_model_vendors_model_id_vendor_id_pk" PRIMARY KEY("model_id","vendor_id")
);
--> statement-breakpoint
CREATE TABLE "device_models" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"platform" text NOT NULL,
	"name" text NOT NULL,
	"name_key" text collate "C" GENERATED ALWAYS AS (lower("name" collate "pg_c_utf8")) STORED NOT NULL,
	"owner_id" text collate "C",
	"capabilities" text[] NOT NULL,
	"bypass_flow_rates" double precision[] NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "firmware_versions" (
	"platform" text NOT NULL,
	"version" text NOT NULL,
	"released_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "firmware_versions_platform_version_pk" PRIMARY KEY("platform","version")
);
--> statement-breakpoint
CREATE TABLE "access_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"session_id" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "login_failures" (
	"id" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refresh_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"session_id" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"rotated_at" timestamp (3) with time zone,
	"successor" text
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "device_cartridges" ADD CONSTRAINT "device_cartridges_bssid_devices_bssid_fk" FOREIGN KEY ("bssid") REFERENCES "public"."devices"("bssid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_cartridges" ADD CONSTRAINT "device_cartridges_cartridge_type_id_cartridge_types_id_fk" FOREIGN KEY ("cartridge_type_id") REFERENCES "public"."cartridge_types"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "devices" ADD CONSTRAINT "devices_model_id_device_models_id_fk" FOREIGN KEY ("model_id") REFERENCES "public"."device_models"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "devices" ADD CONSTRAINT "devices_filtration_system_id_filtration_systems_id_fk" FOREIGN KEY ("filtration_system_id") REFERENCES "public"."filtration_systems"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "devices" ADD CONSTRAINT "devices_vendor_id_accounts_id_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."accounts"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "share_codes" ADD CONSTRAINT "share_codes_bssid_devices_bssid_fk" FOREIGN KEY ("bssid") REFERENCES "public"."devices"("bssid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "filtration_system_cartridges" ADD CONSTRAINT "filtration_system_cartridges_filtration_system_id_filtration_systems_id_fk" FOREIGN KEY ("filtration_system_id") REFERENCES "public"."filtration_systems"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "filtration_system_cartridges" ADD CONSTRAINT "filtration_system_cartridges_cartridge_type_id_cartridge_types_id_fk" FOREIGN KEY ("cartridge_type_id") REFERENCES "public"."cartridge_types"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "filtration_systems" ADD CONSTRAINT "filtration_systems_group_id_filtration_system_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."filtration_system_groups"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "filtration_systems" ADD CONSTRAINT "filtration_systems_vendor_id_accounts_id_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_model_vendors" ADD CONSTRAINT "device_model_vendors_model_id_device_models_id_fk" FOREIGN KEY ("model_id") REFERENCES "public"."device_models"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_model_vendors" ADD CONSTRAINT "device_model_vendors_vendor_id_accounts_id_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_models" ADD CONSTRAINT "device_models_owner_id_accounts_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_login_key" ON "accounts" USING btree (lower("login" collate "pg_c_utf8"));--> statement-breakpoint
CREATE INDEX "accounts_role_index" ON "accounts" USING btree ("role");--> statement-breakpoint
CREATE INDEX "device_cartridges_type" ON "device_cartridges" USING btree ("cartridge_type_id","bssid");--> statement-breakpoint
CREATE INDEX "devices_by_platform" ON "devices" USING btree ("platform_key","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_by_model" ON "devices" USING btree ("model_id","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_by_filtration_system" ON "devices" USING btree ("filtration_system_id","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_by_status" ON "devices" USING btree ("status","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_by_locked" ON "devices" USING btree ("locked","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_by_valve_closed" ON "devices" USING btree ("valve_closed","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_by_rejection_rate" ON "devices" USING btree ("rejection_rate","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_by_recovery_rate" ON "devices" USING btree ("recovery_rate","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_by_temperature" ON "devices" USING btree ("temperature","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_by_pressure" ON "devices" USING btree ("pressure","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_by_feed_tds" ON "devices" USING btree ("feed_tds","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_by_permeate_tds" ON "devices" USING btree ("permeate_tds","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_by_feed" ON "devices" USING btree ("feed","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_by_permeate" ON "devices" USING btree ("permeate","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_by_waste" ON "devices" USING btree ("waste","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_by_flush_smart" ON "devices" USING btree ("flush_smart","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_by_flush_mode" ON "devices" USING btree ("flush_mode","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_by_flush_frequency" ON "devices" USING btree ("flush_frequency","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_by_flush_duration" ON "devices" USING btree ("flush_duration","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_by_flush_volume" ON "devices" USING btree ("flush_volume","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_by_idle_protection" ON "devices" USING btree ("idle_protection","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_by_bypass_smart" ON "devices" USING btree ("bypass_smart","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_by_bypass_state" ON "devices" USING btree ("bypass_state","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_by_uv" ON "devices" USING btree ("uv","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_by_firmware" ON "devices" USING btree ("firmware_key","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_by_last_active" ON "devices" USING btree ("last_active","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_by_description" ON "devices" USING btree ("description_key","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_by_power_mode" ON "devices" USING btree ("power_mode","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_by_battery_level" ON "devices" USING btree ("battery_level","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_by_next_replacement" ON "devices" USING btree ("next_replacement_at","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_by_created_at" ON "devices" USING btree ("created_at","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_by_updated_at" ON "devices" USING btree ("updated_at","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_by_vendor" ON "devices" USING btree ("vendor_id","bssid");--> statement-breakpoint
CREATE INDEX "devices_bssid_search" ON "devices" USING gin ("bssid" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "devices_description_search" ON "devices" USING gin ("description_key" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "filtration_system_cartridges_type" ON "filtration_system_cartridges" USING btree ("cartridge_type_id");--> statement-breakpoint
CREATE INDEX "filtration_systems_vendor" ON "filtration_systems" USING btree ("vendor_id");--> statement-breakpoint
CREATE INDEX "filtration_systems_group" ON "filtration_systems" USING btree ("group_id");--> statement-breakpoint
CREATE INDEX "device_model_vendors_vendor" ON "device_model_vendors" USING btree ("vendor_id");--> statement-breakpoint
CREATE INDEX "device_models_owner" ON "device_models" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "device_models_name" ON "device_models" USING btree ("name_key");--> statement-breakpoint
CREATE INDEX "access_tokens_session_index" ON "access_tokens" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "access_tokens_expiry_index" ON "access_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "login_failures_key_index" ON "login_failures" USING btree ("key","at");--> statement-breakpoint
CREATE INDEX "login_failures_at_index" ON "login_failures" USING btree ("at");--> statement-breakpoint
CREATE INDEX "refresh_tokens_session_index" ON "refresh_tokens" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "refresh_tokens_expiry_index" ON "refresh_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "refresh_tokens_grace_index" ON "refresh_tokens" USING btree ("rotated_at") WHERE "refresh_tokens"."successor" is not null;--> statement-breakpoint
CREATE INDEX "sessions_account_index" ON "sessions" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "sessions_expiry_index" ON "sessions" USING btree ("expires_at");