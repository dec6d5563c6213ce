import { account } from './account';
import { buying } from './buying';
import { development } from './development';
import type { Operation } from './operation';
import { repairing } from './repair';
import { service } from './service';
import { signIn } from './sign-in';

/** Every call of the product API as this server has it. */
export const operations: readonly Operation[] = [
  ...buying,
  ...signIn,
  ...account,
  ...repairing,
  ...service,
  ...development,
];
