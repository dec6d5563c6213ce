CREATE FUNCTION "mendara_account_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF tg_table_name = 'users' THEN
    PERFORM pg_notify('mendara_accounts', old.id);
  ELSE
    PERFORM pg_notify('mendara_accounts', old.user_id);
  END IF;
  RETURN NULL;
END;
$$;
--> statement-breakpoint
CREATE TRIGGER "users_changed" AFTER UPDATE OR DELETE ON "users" FOR EACH ROW EXECUTE FUNCTION "mendara_account_changed"();
--> statement-breakpoint
CREATE TRIGGER "sessions_ended" AFTER DELETE OR UPDATE OF "user_id", "token_hash", "expires_at" ON "sessions" FOR EACH ROW EXECUTE FUNCTION "mendara_account_changed"();
