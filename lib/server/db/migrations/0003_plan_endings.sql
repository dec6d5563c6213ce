ALTER TABLE "orders" ADD COLUMN "payment_reference" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "reversed_by" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "ended_by" text;--> statement-breakpoint
CREATE INDEX "orders_renewal_of_index" ON "orders" USING btree ("renewal_of");--> statement-breakpoint
CREATE INDEX "orders_payment_reference_index" ON "orders" USING btree ("payment_reference");