ALTER TABLE "tickets" ADD COLUMN "state" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "preset_ends_at" timestamp (3) with time zone;--> statement-breakpoint
UPDATE "users" SET "preset_ends_at" = "created_at" + interval '7 days' WHERE "must_change_password";
