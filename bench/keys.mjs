/**
 * Makes a key for each `[name, webhookUrl]`, with limits that no benchmark reaches, and returns the keys themselves.
 * They get the events of their messages' statuses.
 */
export async function makeKeys({ port, admin }, receivers) {
  const url = `http://127.0.0.1:${port}/api/v1/dashboard`;
  const { headers } = await post(`${url}/session`, admin);
  const cookie = headers.get('set-cookie').split(';')[0];
  const keys = [];
  for (const [name, webhookUrl] of receivers) {
    const key = {
      name,
      permissions: ['send_text'],
      rate_limit_per_minute: 1_000_000,
      daily_limit: 10_000_000,
      webhook_url: webhookUrl,
      webhook_events: ['message.status'],
    };
    const answer = await post(`${url}/api-keys`, key, { cookie });
    keys.push((await answer.json()).data.key);
  }
  return keys;
}

async function post(url, body, headers = {}) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer;
}
