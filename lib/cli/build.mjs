// `npm run build`: installs and builds, without serving.
import { buildWhenNeeded } from './steps/build.mjs';
import { installDependencies } from './steps/install.mjs';
import { requireNode } from './steps/node-version.mjs';

requireNode();
await installDependencies();
await buildWhenNeeded(process.env.NEXT_DIST_DIR || '.next');
