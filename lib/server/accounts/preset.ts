import 'server-only';
import { presetPasswordDays } from '../../catalog/preset-password';
import { type Outcome, refuse } from '../base/refusal';
import type { Context } from '../context';
import type { User } from './find-session';
import { hashPassword } from './passwords';

const DAY_MS = 86_400_000;

/** A password made for a new buyer, hashed before the transaction so that none waits for the hash function. */
export type Preset = { password: string; passwordHash: string; endsAt: Date };

/** Makes a preset password. It goes by mail, where others may read it later, so it does not work for good. */
export async function preparePreset(ctx: Context): Promise<Preset> {
  const password = ctx.ids.password();
  const endsAt = new Date(ctx.now().getTime() + presetPasswordDays * DAY_MS);
  return { password, passwordHash: await hashPassword(password, true), endsAt };
}

/** True when the user's password is the preset one and its time is over. */
export function hasPresetEnded(user: Pick<User, 'presetEndsAt'>, now: Date): boolean {
  return user.presetEndsAt !== null && user.presetEndsAt <= now;
}

/** The words for somebody who knows a preset password after its end. Nobody else is told that there is one. */
export function presetEnded(): Outcome<never> {
  return refuse(
    'expired',
    `The password that we mailed you worked for ${presetPasswordDays} days and has ended. Please set a new one: choose “Forgot your password?” on the sign-in page, and we mail you a code for it.`,
  );
}

/** What a user sets along with a password of their own. */
export const ownPassword = { mustChangePassword: false, presetEndsAt: null } as const;
