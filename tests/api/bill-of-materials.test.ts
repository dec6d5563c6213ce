import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { billOfMaterials } from '@/lib/cli/steps/bill-of-materials.mjs';

type Component = { name: string; version: string; purl: string; hashes?: { alg: string; content: string }[] };

it('the bill of materials names every package that the product runs on, with its check sum, and none that only tests use', async () => {
  const bill = JSON.parse(await billOfMaterials()) as { bomFormat: string; components: Component[] };
  expect(bill.bomFormat).toBe('CycloneDX');
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  };
  const listed = new Map(bill.components.map((component) => [component.name, component]));
  for (const [name, version] of Object.entries(dependencies)) expect(listed.get(name)?.version, name).toBe(version);
  expect(Object.keys(devDependencies).filter((name) => listed.has(name) && name.includes('playwright'))).toEqual([]);
  // The lock file has no sum of programs for other systems that this registry does not hold.
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { integrity?: string; optional?: boolean; os?: string[] }>;
  };
  const unsummed = bill.components.filter(({ hashes }) => !hashes?.some(({ alg }) => alg === 'SHA-512'));
  for (const { name } of unsummed) expect(packages[`node_modules/${name}`], name).toMatchObject({ optional: true });
  expect(unsummed.filter(({ name }) => packages[`node_modules/${name}`]?.integrity)).toEqual([]);
});
