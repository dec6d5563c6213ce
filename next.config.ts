import type { NextConfig } from 'next';

/** Static assets may be cached for good (their names hold a hash); pages get their headers from the server in front. */
const config: NextConfig = {
  distDir: process.env.NEXT_DIST_DIR ?? '.next',
  // The server in front answers both forms of every address, so Next must not redirect one to the other.
  skipTrailingSlashRedirect: true,
  poweredByHeader: false,
  reactStrictMode: true,
  // Prerendered pages are compressed once at the build, by the server in front.
  compress: false,
  productionBrowserSourceMaps: false,
  serverExternalPackages: [
    '@electric-sql/pglite',
    '@node-rs/argon2',
    'pg',
    'nodemailer',
    'busboy',
    '@aws-sdk/client-s3',
    '@aws-sdk/s3-presigned-post',
    '@aws-sdk/s3-request-presigner',
    '@tus/server',
    '@tus/file-store',
    '@tus/s3-store',
  ],
  typescript: { ignoreBuildErrors: true },
  images: { unoptimized: true },
  turbopack: {
    // The bundler keeps twice as much of the schema library as is used (16.3 kB gzip of 8.6): browsers get it bundled before.
    // The framework brings a whole `process` along, of which nothing but the environment is asked for in a browser.
    resolveAlias: {
      'zod/mini': { browser: './lib/cli/steps/zod-in-browsers.mjs' },
      'next/dist/compiled/process': { browser: './lib/cli/steps/process-in-browsers.cjs' },
    },
    rules: { '**/zod-in-browsers.mjs': { loaders: ['./lib/cli/steps/bundled-loader.mjs'] } },
  },
  // Splits the styles by route instead of merging them all into one file that every page loads.
  experimental: {
    // Nearly everything is answered before it comes to Next: what it needs for the rest is loaded when it is asked for.
    preloadEntriesOnStart: false,
    cssChunking: { type: 'graph', requestCost: 250, weightDistribution: 0 },
  },
};

export default config;
