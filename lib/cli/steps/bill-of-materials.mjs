import { readFileSync } from 'node:fs';
import { npm } from './npm.mjs';
import { outputOf } from './run.mjs';

const command = [
  'sbom',
  '--sbom-format=cyclonedx',
  '--sbom-type=application',
  '--package-lock-only',
  '--loglevel=error',
];

/** `name@version` of what the lock file does not mark as for development alone. */
function neededToRun() {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const needed = Object.entries(packages).filter(
    ([folder, { dev, devOptional }]) => folder !== '' && !dev && !devOptional,
  );
  return new Set(
    needed.map(([folder, { name, version }]) => `${name ?? folder.replace(/^.*node_modules\//, '')}@${version}`),
  );
}

/**
 * The software bill of materials of what the product runs on, as the lock file names it: CycloneDX (ECMA-424) in JSON, every package with
 * version, licence, address and check sum. Rejects when npm cannot make one.
 */
export async function billOfMaterials() {
  const { code, text } = await outputOf(npm, command);
  if (code !== 0) throw new Error('npm could not make the bill of materials: see its words above.');
  const bill = JSON.parse(text);
  // npm's own `--omit=dev` also leaves out what both the product and its tests use.
  const needed = neededToRun();
  const components = bill.components.filter(({ name, version }) => needed.has(`${name}@${version}`));
  const refs = new Set([bill.metadata.component['bom-ref'], ...components.map((component) => component['bom-ref'])]);
  const dependencies = bill.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }));
  return JSON.stringify({ ...bill, components, dependencies }, null, 1);
}
