import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { putDrawingsTogether } from '@/lib/cli/front/drawings';

const files: Record<string, string> = {
  '/art/icons.svg':
    '<svg><defs>\n<symbol id="menu"><path d="M1 1h1"/></symbol>\n<symbol id="x"><path d="M2 2h2"/></symbol>\n</defs></svg>',
  '/art/home.svg':
    '<svg><defs>\n<symbol id="mark"><path/></symbol>\n<g id="deleted"><clipPath id="edge"/><g clip-path="url(#edge)"/><use href="#mark" x="1"/></g>\n<g id="unused"/>\n</defs></svg>',
  '/art/shared.svg': '<svg><defs>\n<g id="mark"><circle/></g>\n</defs></svg>',
};
const read = (path: string) => files[path] ?? '';
const use = (address: string) => `<svg><use href="/art/${address}"></use></svg>`;

describe('the drawings of a page', () => {
  it('are one file with what the page refers to, and what that refers to, under names of their own', () => {
    const { html, picture } = putDrawingsTogether(
      `<body>${use('home.svg#deleted')}${use('shared.svg#mark')}</body>`,
      read,
    );
    expect(picture?.text.split('\n').slice(1, -2)).toEqual([
      '<g id="home-deleted"><clipPath id="home-edge"/><g clip-path="url(#home-edge)"/><use href="#home-mark" x="1"/></g>',
      '<symbol id="home-mark"><path/></symbol>',
      '<g id="shared-mark"><circle/></g>',
    ]);
    expect(picture?.path).toMatch(/^\/_next\/static\/late\/[\w-]{22}\.svg$/);
    expect([...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
      `${picture?.path}#home-deleted`,
      `${picture?.path}#shared-mark`,
    ]);
  });

  it('stand in the page where all of it comes in one go, and are a file where it does not', () => {
    const small = putDrawingsTogether(`<body>${use('shared.svg#mark')}</body>`, read);
    expect(small.picture).toBeNull();
    document.body.innerHTML = small.html;
    expect(document.querySelector('use')?.getAttribute('href')).toBe('#shared-mark');
    expect(document.querySelectorAll('[display=none] #shared-mark > circle')).toHaveLength(1);
    const path = Array.from({ length: 20_000 }, (_, index) => (index * 7919 + 13) % 9973).join('L');
    const large = putDrawingsTogether(
      `<body>${use('far.svg#road')}</body>`,
      () => `<svg>\n<path id="road" d="M${path}"/>\n</svg>`,
    );
    expect(large.picture?.text).toContain('<path id="far-road"');
    expect(large.html).not.toContain('L13');
  });

  it('leave icons in the page, each once, where they are not seen', () => {
    const icon = use('icons.svg#menu');
    const { html, picture } = putDrawingsTogether(`<body>${icon}${icon}</body>`, read);
    expect(picture).toBeNull();
    document.body.innerHTML = html;
    const uses = [...document.querySelectorAll('use')].map((each) => each.getAttribute('href'));
    expect(uses).toEqual(['#icons-menu', '#icons-menu']);
    expect(document.querySelectorAll('[display=none] #icons-menu > path')).toHaveLength(1);
    expect(document.querySelector('#icons-x')).toBeNull();
  });

  it('stay as they are where a script fetches them later, and are missed where they are not there', () => {
    const lazy = '<body><use data-href="/art/home.svg#deleted"></use></body>';
    expect(putDrawingsTogether(lazy, read)).toEqual({ html: lazy, picture: null });
    expect(() => putDrawingsTogether(use('home.svg#gone'), read)).toThrow('home, gone');
  });

  it('are found in every file of drawings, with all that they refer to', () => {
    for (const name of readdirSync('public/art')) {
      const text = readFileSync(join('public/art', name), 'utf8');
      const ids = [...text.matchAll(/^<\w+ id="([\w-]+)"/gm)].map(([, id]) => id);
      expect(ids.length).toBe(text.trim().split('\n').length - 2);
      const page = `<body>${ids.map((id) => use(`${name}#${id}`)).join('')}</body>`;
      const { html, picture } = putDrawingsTogether(page, (path) => readFileSync(join('public', path), 'utf8'));
      const made = `${html}${picture?.text ?? ''}`;
      const known = new Set([...made.matchAll(/ id="([\w-]+)"/g)].map(([, id]) => id));
      for (const [, id] of made.matchAll(/(?:href="[^"#]*|url\()#([\w-]+)/g)) expect(known).toContain(id);
    }
  });
});
