import { expect, test } from '@playwright/test';
import { tryNodes } from '../nodes/trials';
import { postgresFolder } from '../support/postgres';

test('two web nodes and two workers lose nothing and do nothing twice', async () => {
  test.skip(!postgresFolder(), 'PostgreSQL is not installed here');
  test.setTimeout(420_000);
  const said: string[] = [];
  expect(await tryNodes((line) => said.push(line), true), said.join('\n')).toBe(true);
});
