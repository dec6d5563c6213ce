import { isBuiltin } from 'node:module';

/** The areas of which a page of the site is made. */
const pageParts = [
  'components/actions',
  'components/layout',
  'components/ui',
  'lib/catalog',
  'lib/content',
  'lib/seo',
  'lib/utils',
  'styles',
];

/** What the client screens stand on. */
const screenParts = [
  'components/actions',
  'components/ui',
  'lib/catalog',
  'lib/contract',
  'lib/utils',
  'services',
  'store',
  'styles',
];

/**
 * The folders of lib/server, from the lowest to the highest: each may import those before it, none those after it, so that no two
 * import each other. `context` is the file of that name.
 */
export const serverFloors = [
  'base',
  'config',
  'objects',
  'db',
  'context',
  'limits',
  'jobs',
  'mail',
  'sales',
  'accounts',
  'catalogue',
  'downloads',
  'events',
  'uploads',
  'repairs',
  'contact',
  'sso',
  'payment',
  'subscriptions',
  'orders',
  'settlement',
  'erasure',
  'operations',
  'http',
  'run',
];

/**
 * Who may import whom: the one table. What is not named here is forbidden, however the import is written.
 * An area is a folder, or one file of it that has rules of its own; `may` lists the areas below it, `because` says why where it is not plain.
 */
export const layers = [
  {
    area: 'app',
    what: 'the root layout, error pages, sitemap and manifest',
    may: pageParts,
  },
  {
    area: 'app/(site)',
    what: 'marketing and store pages: they compose, they do not compute',
    may: [...pageParts, 'components/reference', 'components/sections'],
  },
  {
    area: 'app/(app)',
    what: 'interactive screens',
    may: [...pageParts, 'components/account', 'components/auth', 'components/repair', 'components/sections'],
  },
  {
    area: 'app/api',
    what: 'the framework’s way to the one table of the API, lib/server/http/api',
    may: ['lib/contract', 'lib/server'],
  },
  { area: 'components/ui', what: 'primitives that a server renders as well', may: ['lib/utils', 'styles'] },
  {
    area: 'components/sections',
    what: 'one folder for each kind of page section',
    may: ['components/actions', 'components/ui', 'lib/catalog', 'lib/content', 'lib/seo', 'lib/utils', 'styles'],
    because: { 'lib/seo': 'the page that renders its sections prints their structured data from the same content' },
  },
  {
    area: 'components/reference',
    what: 'the page that shows the product API to its readers; on the server alone',
    may: ['components/ui', 'lib/contract', 'styles'],
  },
  {
    area: 'components/layout',
    what: 'what stands around every page',
    may: ['components/actions', 'components/ui', 'lib/catalog', 'lib/content', 'lib/utils', 'styles'],
  },
  {
    area: 'components/actions',
    what: 'the islands of static pages; services are loaded when they are needed',
    may: ['components/ui', 'lib/catalog', 'lib/contract', 'lib/utils', 'services', 'store', 'styles'],
  },
  {
    area: 'components/repair',
    what: 'the online tools',
    may: screenParts,
  },
  {
    area: 'components/account',
    what: 'the screens of account holders',
    may: ['components/account/kit', ...screenParts],
  },
  {
    area: 'components/account/kit',
    what: 'antd under our tokens: the form, panel, result and dialog that account and sign-in share',
    may: [
      'components/actions',
      'components/ui',
      'lib/catalog',
      'lib/content/generated/common-passwords.ts',
      'lib/contract',
      'lib/utils',
      'services',
      'styles',
    ],
  },
  {
    area: 'components/auth',
    what: 'sign-in, registration and reset',
    may: ['components/account/kit', ...screenParts],
  },
  {
    area: 'store',
    what: 'state of the app: no user interface, no axios',
    may: ['lib/catalog', 'lib/contract', 'lib/utils', 'services'],
  },
  {
    area: 'services',
    what: 'the calls of the product API',
    may: ['lib/catalog', 'lib/contract', 'lib/utils'],
    because: { 'lib/catalog': 'how long a call may take, and the brands, are facts of the catalogue' },
  },
  {
    area: 'lib/contract',
    what: 'the wire: schemas of requests and answers, envelope and error table',
    may: ['lib/catalog', 'lib/repair/report/schema.ts'],
    because: {
      'lib/catalog': 'brands, systems and kinds of plans are named once, there',
      'lib/repair/report/schema.ts':
        'the report of a repair is described once, where it is made; plain data, free of node:',
    },
  },
  {
    area: 'lib/utils',
    what: 'small helpers without state',
    may: ['lib/catalog', 'lib/contract'],
    because: {
      'lib/catalog': 'names and lifetimes of cookies are facts of the catalogue',
      'lib/contract': 'some of them put what the wire says into words',
    },
  },
  {
    area: 'lib/catalog',
    what: 'facts, each once',
    may: ['lib/repair/formats/table.ts'],
    because: { 'lib/repair/formats/table.ts': 'what the tools take is what the engine knows' },
  },
  { area: 'lib/content', what: 'copy as typed data', may: ['lib/catalog'] },
  { area: 'lib/content/generated/common-passwords.ts', what: 'the most used passwords, plain data', may: [] },
  { area: 'lib/seo', what: 'what search engines read', may: ['lib/catalog', 'lib/content'] },
  {
    area: 'lib/server',
    what: 'the domain behind the API',
    may: [
      'lib/catalog',
      'lib/contract',
      'lib/repair',
      'lib/repair/formats/table.ts',
      'lib/repair/host',
      'lib/repair/report/schema.ts',
      'lib/utils',
    ],
    because: { 'lib/repair/host': 'children are started and shut in by the same supervisor' },
  },
  {
    area: 'lib/repair',
    what: 'the repair engine: knows itself and its host only',
    may: ['lib/repair/formats/table.ts', 'lib/repair/host', 'lib/repair/report/schema.ts'],
  },
  { area: 'lib/repair/formats/table.ts', what: 'the one table of formats, plain data for a browser too', may: [] },
  { area: 'lib/repair/report/schema.ts', what: 'what leaves the engine, as a schema', may: [] },
  {
    area: 'lib/repair/host',
    what: 'what the machine gives the engine: bytes, files, clocks, packing, pictures, processes',
    may: [],
  },
  {
    area: 'lib/cli',
    what: 'what npm runs, the server in front of Next among it',
    may: ['lib/catalog', 'lib/contract', 'lib/repair', 'lib/repair/host', 'lib/seo', 'lib/server'],
    because: {
      'lib/seo': 'pages are built with the address that it names, and served with the public one in its place',
      'lib/catalog': 'the server in front knows the old addresses of pages',
      'lib/contract': 'it refuses odd calls in the envelope of the API',
    },
  },
  { area: 'styles', what: 'tokens and shared styles', may: [] },
];

/** Packages that stand in some areas only; every other package may be used wherever an area needs it. `node:*` is what the runtime brings. */
const packages = {
  axios: ['services'],
  antd: ['components/account', 'components/account/kit', 'components/auth'],
  swiper: ['components/sections'],
  aos: ['components/layout'],
  'js-cookie': ['lib/utils'],
  zustand: ['store', 'components/actions'],
  react: ['app', 'app/(site)', 'app/(app)', 'components'],
  'react-dom': ['components'],
  next: ['app', 'app/(site)', 'app/(app)', 'components', 'lib/seo', 'lib/cli'],
  'drizzle-orm': ['lib/server'],
  '@aws-sdk/client-s3': ['lib/server'],
  '@aws-sdk/s3-presigned-post': ['lib/server'],
  '@aws-sdk/s3-request-presigner': ['lib/server'],
  '@tus/server': ['lib/server'],
  '@tus/file-store': ['lib/server'],
  '@tus/s3-store': ['lib/server'],
  'tus-js-client': ['services'],
  'openid-client': ['lib/server'],
  sharp: ['lib/repair/host', 'lib/cli'],
  'node:*': ['lib/repair/host', 'lib/cli', 'lib/server'],
  esbuild: ['lib/cli'],
};

/** The area of a file: the longest one that it is, or that its path begins with. Undefined for files outside all of them. */
export function areaOf(file) {
  return layers
    .map(({ area }) => area)
    .filter((area) => file === area || file.startsWith(`${area}/`))
    .sort((a, b) => b.length - a.length)[0];
}

/** The folder of a file of lib/server. */
const floorOf = (file) =>
  file
    .split('/')
    .slice(2, file.split('/').length > 3 ? 3 : undefined)
    .join('/')
    .replace(/\.ts$/, '');

/** An import within lib/server that goes up, in words. */
function climbing(from, to) {
  const [low, high] = [from, to].map((file) => serverFloors.indexOf(floorOf(file)));
  if (low < 0) return [`${from} stands on no floor of lib/server: name its folder in serverFloors.`];
  return high <= low ? [] : [`${from} imports ${to}, which stands above it.`];
}

/** What of a list of imports the tables forbid, each in words. */
export function forbiddenImports(edges) {
  return edges.flatMap(({ from, to, isPackage }) => {
    const area = areaOf(from);
    const layer = layers.find((candidate) => candidate.area === area);
    if (!layer) return [];
    if (isPackage) {
      const homes = packages[isBuiltin(to) ? 'node:*' : to];
      const isHome = !homes || homes.some((home) => area === home || area.startsWith(`${home}/`));
      return isHome ? [] : [`${from} imports ${to}, which belongs in ${homes.join(', ')}.`];
    }
    const target = areaOf(to);
    if (area === 'lib/server' && target === area) return climbing(from, to);
    if (target === area || (target && layer.may.includes(target))) return [];
    return [`${from} imports ${to}: ${area} may import ${layer.may.join(', ') || 'nothing but itself'}.`];
  });
}

/** The table for the guide, as Markdown. */
export function layersAsMarkdown() {
  const rows = layers.map(({ area, what, may, because = {} }) => {
    const names = may.map((name) => `\`${name}\`${because[name] ? ` (${because[name]})` : ''}`);
    return `| \`${area}\` | ${what} | ${names.join(', ') || 'nothing'} |`;
  });
  const homes = Object.entries(packages).map(
    ([name, areas]) => `| \`${name}\` | ${areas.map((area) => `\`${area}\``).join(', ')} |`,
  );
  return [
    '| area | what it is | may import |',
    '|---|---|---|',
    ...rows,
    '',
    '| package | stands in |',
    '|---|---|',
    ...homes,
    '',
    `Within \`lib/server\` each folder may import those before it: ${serverFloors.map((name) => `\`${name}\``).join(', ')}.`,
  ].join('\n');
}
