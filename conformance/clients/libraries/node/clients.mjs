// node clients.mjs LIBRARY SETTINGS STEP...: takes the steps with the library, prints a status, or error, for each.
import axios from 'axios';
import axiosRetry, { isIdempotentRequestError } from 'axios-retry';
import got from 'got';
import ky, { HTTPError } from 'ky';
import { Agent, RetryAgent, request } from 'undici';
import JSONBig from 'json-bigint';

const [library, settings, ...steps] = process.argv.slice(2);
const base = process.env.PETCONFORM_TARGET;
const headers = { Authorization: `Bearer ${process.env.PETCONFORM_KEY}`, 'Content-Type': 'application/json' };
const mended = settings === 'mended';
const refused = [429, 503];

// Each returns a function that sends a request and returns the status and the parsed body.
const libraries = {
  fetch() {
    return async (method, path, body) => {
      const r = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) });
      return [r.status, await r.json()];
    };
  },
  undici() {
    let agent = new RetryAgent(new Agent());
    let parse = JSON.parse;
    if (mended) {
      // mend undici: RetryAgent and json-bigint
      agent = new RetryAgent(new Agent(), {
        methods: ['GET', 'POST'], statusCodes: [429, 503], errorCodes: ['ECONNREFUSED'], maxTimeout: 86400_000,
      });
      parse = JSONBig({ useNativeBigInt: true }).parse;
      // end
    }
    return async (method, path, body) => {
      const r = await request(base + path, { method, headers, body: body && JSON.stringify(body), dispatcher: agent });
      return [r.statusCode, parse(await r.body.text())];
    };
  },
  axios() {
    const client = axios.create({ headers, validateStatus: null });
    return async (method, path, data) => {
      const r = await client.request({ url: base + path, method, data });
      return [r.status, r.data];
    };
  },
  'axios-retry'() {
    const client = axios.create({ headers });
    if (settings === 'default') axiosRetry(client);
    if (settings === 'usual') axiosRetry(client, { retryDelay: (n) => n * 500, retryCondition: () => true });
    if (mended) {
      // mend axios: axios-retry and json-bigint
      client.defaults.transformResponse = [JSONBig({ useNativeBigInt: true }).parse];
      axiosRetry(client, {
        retries: 5, retryDelay: axiosRetry.exponentialDelay,
        retryCondition: (e) => isIdempotentRequestError(e) || refused.includes(e.response?.status),
      });
      // end
    }
    return async (method, path, data) => {
      const r = await client.request({ url: base + path, method, data });
      return [r.status, r.data];
    };
  },
  got() {
    let client = got.extend({ headers, responseType: 'json' });
    if (mended) {
      // mend got, with json-bigint
      client = client.extend({
        parseJson: JSONBig({ useNativeBigInt: true }).parse,
        retry: { limit: 5, methods: ['GET', 'POST'], statusCodes: [429, 503], errorCodes: ['ECONNREFUSED'] },
      });
      // end
    }
    return async (method, path, json) => {
      const r = await client(base + path, { method, json });
      return [r.statusCode, r.body];
    };
  },
  ky() {
    let client = ky.create({ headers });
    if (mended) {
      // mend ky, with json-bigint
      client = client.extend({
        parseJson: JSONBig({ useNativeBigInt: true }).parse,
        retry: {
          limit: 5, methods: ['get', 'post'], statusCodes: [429, 503],
          shouldRetry: ({ error }) => (error instanceof HTTPError ? undefined : false),
        },
      });
      // end
    }
    return async (method, path, json) => {
      const r = await client(base + path, { method, json });
      return [r.status, await r.json()];
    };
  },
};

const send = libraries[library]();
for (const step of steps) {
  await new Promise((done) => setTimeout(done, 50)); // so that the connection of the step before is free again
  try {
    const create = step === 'create';
    const pet = create ? { name: 'Rex', categoryId: 1 } : undefined;
    let [status, body] = await send(create ? 'POST' : 'GET', '/pets', pet);
    if (step === 'ids') [status] = await send('GET', `/pets/${body[0].id}`);
    console.log(status);
  } catch (e) {
    console.error(e);
    console.log('error');
  }
}
process.exit(0);
