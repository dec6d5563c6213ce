import { createServer, type RequestListener, type Server } from 'node:http';
import next from 'next';
import { missingVendorVariables } from '../catalog/vendor';
import { signInPlaces, UNKNOWN_ORIGIN, UNKNOWN_SIGN_IN } from '../seo/site';
import { logError, logInfo } from '../server/base/log';
import { environment } from '../server/config/env';
import { keepsPasswords } from '../server/config/sign-in';
import { context } from '../server/context';
import { operate } from '../server/operations/commands';
import { measure } from '../server/operations/measure';
import { startRuntime } from '../server/run/runtime';
import { serveApi } from './front/api';
import { Connections } from './front/connections';
import { followDemonstrations } from './front/demonstrations';
import { connectionsFor, descriptorLimit } from './front/descriptors';
import { handle } from './front/handle';
import { keepHeapSmall } from './front/heap';
import { outliveTheLog, sayPlainly, stopOnSignals } from './front/lifecycle';
import { headLimits, listen } from './front/listen';
import { FrontMetrics } from './front/metrics';
import { openForOperators } from './front/operators';
import { policyOrigins } from './front/policy';
import { answerRefusedConnections } from './front/raw-answers';
import { PageResponder } from './front/respond';
import { readSite } from './front/site';

/** The one process: a small server in front of Next, the embedded API, the job loop and the database. */
async function main(): Promise<void> {
  outliveTheLog();
  keepHeapSmall();
  const env = environment();
  const distDir = process.env.NEXT_DIST_DIR ?? '.next';
  const runtime = await startRuntime();
  // Next listens for upgrades on the server it is given and leaves them open, so it is given one that never listens.
  const app = next({ dev: false, dir: process.cwd(), hostname: env.HOST, port: env.PORT, httpServer: createServer() });
  await app.prepare();
  const site = readSite(distDir, [
    [UNKNOWN_ORIGIN, env.SITE_URL],
    [UNKNOWN_SIGN_IN, keepsPasswords(env) ? signInPlaces.here : signInPlaces.elsewhere],
  ]);
  const origins = policyOrigins(process.env);
  const stall = { windowMs: env.UPLOAD_STALL_SECONDS * 1000, minBytes: env.UPLOAD_STALL_BYTES };
  const proxies = env.TRUST_PROXY;
  const connections = new Connections({
    total: env.CONNECTIONS_MAX ?? connectionsFor(descriptorLimit()),
    perAddress: env.CONNECTIONS_PER_ADDRESS,
    isShared: (address) => proxies.trust(address),
    stall,
  });
  const ctx = await context();
  const metrics = new FrontMetrics(() => measure(ctx), connections, env.METRICS_TOKEN);
  const isHttps = env.SITE_URL.startsWith('https:');
  const parts = {
    site,
    pages: new PageResponder(site, origins, isHttps),
    next: app.getRequestHandler(),
    api: serveApi,
    connections,
    metrics,
    stall,
    proxies,
    isHttps,
  };
  await followDemonstrations(ctx, parts.pages);
  const listener: RequestListener = (request, response) => {
    const fail = (error: unknown): void => {
      logError('request.failed', 'A request failed.', error);
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' });
      response.end('Something went wrong on our side. Please try again.');
    };
    try {
      handle(request, response, parts)?.catch(fail);
    } catch (error) {
      fail(error);
    }
  };
  const create = (): Server => {
    const server = createServer(headLimits(stall.windowMs), listener);
    connections.watch(server);
    answerRefusedConnections(server, isHttps);
    return server;
  };
  const servers = await listen(create, env.HOST, env.PORT);
  if (!env.DATABASE_URL) {
    servers.push(await openForOperators(env.DATA_DIR, ({ actor, words }) => operate(ctx, actor, words)));
  }
  runtime.startJobs();
  stopOnSignals({ servers, connections, runtime });
  logInfo('start', `Mendara is at ${env.SITE_URL}`);
  for (const line of runtime.describe) logInfo('start', line);
  const missing = missingVendorVariables();
  if (missing.length > 0)
    logInfo('start', `Legal details of the vendor are samples: set ${missing.join(', ')} before you sell.`);
}

main().catch((error: unknown) => {
  sayPlainly(error);
  process.exit(1);
});
