// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** What the customer named, and whether the product or its tests are built on it. */
const customersPackages = {
  product: ['next', 'react', 'react-dom', 'axios', 'js-cookie', 'swiper', 'aos', 'antd', 'sass'],
  tests: ['vitest', '@testing-library/react', 'msw', 'playwright'],
};

function filesBelow(folder: string, wanted = /\.tsx?$/): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path, wanted);
    return wanted.test(entry.name) ? [path] : [];
  });
}

/** What the files of these folders import, at the top or when it is due; types alone count for nothing. */
function importsOf(folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) => filesBelow(folder))
    .flatMap((path) => {
      const code = readFileSync(path, 'utf8').replaceAll(/import type[^;]*;/g, '');
      return [...code.matchAll(/(?:from\s+|import\s*\(\s*|import\s+)'([^']+)'/g)].map(([, name]) => name ?? '');
    });
}

/** A package is used by its own name or by a part of it. */
function isUsed(name: string, imports: readonly string[]): boolean {
  return imports.some((imported) => imported === name || imported.startsWith(`${name}/`));
}

const productImports = importsOf(['app', 'components', 'services', 'store', 'lib/utils']);
const testImports = importsOf(['tests']);
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, Record<string, string>>;

describe('the packages that the customer named', () => {
  it.each(customersPackages.product)('%s is what product code is built on', (name) => {
    expect(Object.keys(manifest.dependencies ?? {})).toContain(name);
    if (name === 'sass') expect(productImports.some((imported) => imported.endsWith('.module.scss'))).toBe(true);
    else if (name === 'react-dom') {
      const next = JSON.parse(readFileSync('node_modules/next/package.json', 'utf8'));
      expect(next.peerDependencies).toHaveProperty(name);
    } else expect(isUsed(name, productImports), `${name} is imported nowhere`).toBe(true);
  });

  it.each(customersPackages.tests)('%s is what tests are built on', (name) => {
    const imported = name === 'playwright' ? '@playwright/test' : name;
    expect(Object.keys(manifest.devDependencies ?? {})).toContain(imported);
    expect(isUsed(imported, testImports), `${imported} is imported nowhere`).toBe(true);
  });

  it('are called the customer’s choice where dependencies are explained, and no others are', () => {
    const rows = readFileSync('lib/README.md', 'utf8').matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm);
    const called = [...rows]
      .filter(([, , why]) => why?.startsWith('the customer’s choice'))
      .flatMap(([, names]) => (names ?? '').split(', '));
    const named = [...customersPackages.product, ...customersPackages.tests].map((name) =>
      name === 'playwright' ? '@playwright/test' : name,
    );
    expect(called.sort()).toEqual(named.sort());
  });

  it('stand beside others that only the product needs: what tests alone use is no dependency of it', () => {
    // By any mention: some are found by their path, such as fonts and a decoder that is started as a process.
    const code = ['app', 'components', 'lib', 'services', 'store', 'styles']
      .flatMap((folder) => filesBelow(folder, /\.(tsx?|mjs|scss)$/))
      .map((path) => readFileSync(path, 'utf8'))
      .join('\n');
    const byPeer = ['react-dom', 'sass'];
    const idle = Object.keys(manifest.dependencies ?? {}).filter(
      (name) => !byPeer.includes(name) && !code.includes(name),
    );
    expect(idle).toEqual([]);
  });
});
