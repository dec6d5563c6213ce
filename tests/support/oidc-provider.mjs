import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const clientId = 'mendara-tests';
const clientSecret = 'a secret that only the two know';

function newKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomBytes(6).toString('hex'), alg: 'RS256', use: 'sig' };
}

/** The same token with other claims, under the same key. */
function signedAgain(token, key, change) {
  const [head, body] = token.split('.');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
  change(claims);
  const signed = `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  const signature = sign('sha256', Buffer.from(signed), createPrivateKey({ key, format: 'jwk' }));
  return `${signed}.${signature.toString('base64url')}`;
}

/** The library's provider with one client and one key, where whoever is there signs in without being asked. */
function makeProvider(issuer, callback, state) {
  const key = newKey();
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [callback],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => state.people.get(sub) ?? { sub },
    }),
    async loadExistingGrant(context) {
      const { client, session, provider: ours } = context.oidc;
      const grant = new ours.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
    ttl: { AccessToken: 600, AuthorizationCode: 60, IdToken: 120, Interaction: 600, Session: 600, Grant: 600 },
  });
  const { issue } = provider.IdToken.prototype;
  provider.IdToken.prototype.issue = async function spoiled(...use) {
    const token = await issue.apply(this, use);
    return state.spoil ? signedAgain(token, key, state.spoil) : token;
  };
  return provider;
}

async function interact(provider, state, request, response) {
  const { person } = state;
  if (person) state.people.set(person.sub, person);
  const result = person
    ? { login: { accountId: person.sub } }
    : { error: 'access_denied', error_description: 'The person said no.' };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

/** See the declaration. */
export async function startProvider(callback, port = 0) {
  const state = { person: null, people: new Map(), spoil: null, trouble: null, isSilent: false, asked: [] };
  let provider;
  const server = createServer((request, response) => {
    state.asked.push((request.url ?? '').split('?')[0]);
    if (state.isSilent) return;
    if (state.trouble !== null) {
      response.writeHead(state.trouble, { 'content-type': 'text/html' }).end('<h1>Out of order</h1>');
      return;
    }
    const isInteraction = request.url?.startsWith('/interaction/');
    const work = isInteraction ? interact(provider, state, request, response) : provider.callback()(request, response);
    work.catch((error) => response.writeHead(500).end(String(error)));
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  const issuer = `http://127.0.0.1:${server.address().port}`;
  provider = makeProvider(issuer, callback, state);
  return Object.assign(state, {
    issuer,
    clientId,
    clientSecret,
    rotateKeys() {
      provider = makeProvider(issuer, callback, state);
    },
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  });
}
