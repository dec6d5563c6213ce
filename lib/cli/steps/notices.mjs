import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The licence text that a package brings, or an empty string. */
function licenceText(folder) {
  const name = readdirSync(folder).find((file) => /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(file));
  return name ? readFileSync(join(folder, name), 'utf8').trim() : '';
}

/**
 * The third-party notices of everything that is installed for running the product: name, version, licence, text. The
 * same text is printed once, with all packages that share it.
 */
export function thirdPartyNotices() {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const byText = new Map();
  for (const [folder, { dev, optional }] of Object.entries(lock.packages)) {
    if (folder === '' || dev || (optional && !existsSync(folder)) || !existsSync(join(folder, 'package.json')))
      continue;
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const text = licenceText(folder);
    const key = text || `No licence text in the package; its licence field says ${license}.`;
    byText.set(key, [
      ...(byText.get(key) ?? []),
      `${name} ${version} (${typeof license === 'string' ? license : 'see text'})`,
    ]);
  }
  const icons = 'Interface icons: Lucide, ISC licence, copyright Lucide Icons and contributors.';
  const marks = 'Payment-method marks: Simple Icons, CC0 1.0; the marks belong to their owners.';
  const head = `Mendara uses the work of others. Their names and licences follow.\n\n${icons}\n${marks}\n`;
  const parts = [...byText].map(
    ([text, names]) => `${'-'.repeat(80)}\n${[...new Set(names)].sort().join('\n')}\n\n${text}\n`,
  );
  return `${head}\n${parts.join('\n')}`;
}
