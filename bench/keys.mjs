/** How many sends a second are expected where nothing limits them; numbers reach their pace at twice as many. */
export const unlimitedPerSecond = 2_000;

/**
 * A function that asks the dashboard as its first operator and returns the data of the answer; with a body it posts. It
 * signs in again when it has not asked for so long that its session has ended.
 */
export async function openDashboard({ port, admin }) {
  const url = `http://127.0.0.1:${port}/api/v1/dashboard`;
  const signIn = async () => {
    const { headers } = await post(`${url}/session`, admin);
    return headers.get('set-cookie').split(';')[0];
  };
  let cookie = await signIn();
  const ask = (path, body) =>
    body ? post(url + path, body, { cookie }) : get(url + path, { cookie });
  return async (path, body) => {
    const answer = await ask(path, body).catch(async (error) => {
      if (!error.message.includes('UNAUTHENTICATED')) throw error;
      cookie = await signIn();
      return ask(path, body);
    });
    return (await answer.json()).data;
  };
}

/**
 * Makes accounts as their users do, as many as `perSecond` needs when each number sends at half its pace, and returns
 * their ids. `pace` is that of a new account where it is undefined; with `none` the product's only account is used.
 */
export async function makeNumbers(dashboard, { appSecret, accessToken }, { pace, perSecond }) {
  if (pace === 'none') return [undefined];
  const ids = [];
  for (let wanted = 1; ids.length < wanted; ) {
    const { account } = await dashboard('/accounts', {
      name: `number ${ids.length + 1}`,
      phone_number_id: String(300_000_000_000_001 + ids.length),
      business_account_id: '200000000000001',
      display_phone_number: String(15_550_790_001 + ids.length),
      access_token: accessToken,
      app_secret: appSecret,
      messages_per_second: pace,
    });
    ids.push(account.id);
    // An older version (`--against`) may make numbers without a pace.
    wanted = Math.ceil(perSecond / ((account.messages_per_second ?? Infinity) / 2));
  }
  return ids;
}

/** Adds an endpoint of a key that gets notifications in WhatsApp's own form. The key needs its permissions. */
export async function addWhatsappEndpoint({ port }, key, url) {
  const body = { format: 'whatsapp', url };
  await post(`http://127.0.0.1:${port}/api/v1/external/webhooks`, body, { 'X-API-Key': key });
}

/**
 * Makes a key with limits that no benchmark reaches. It gets the events of its messages' statuses, if it has a
 * `webhookUrl`. Without an account it belongs to the only one.
 */
export async function makeKey(dashboard, { name, accountId, webhookUrl, permissions = [] }) {
  const { key } = await dashboard('/api-keys', {
    name,
    account_id: accountId,
    permissions: ['send_text', 'send_template', ...permissions],
    rate_limit_per_minute: 1_000_000,
    daily_limit: 10_000_000,
    ...(webhookUrl && { webhook_url: webhookUrl, webhook_events: ['message.status'] }),
  });
  return key;
}

async function get(url, headers) {
  return checked(url, await fetch(url, { headers }));
}

export async function post(url, body, headers = {}) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return checked(url, answer);
}

async function checked(url, answer) {
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer;
}
