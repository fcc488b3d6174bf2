/** What `run.json` holds. */
export interface Run {
  api_url: string;
  dashboard_url: string;
  simulator_url: string;
  admin_email: string;
  admin_password: string;
  api_key: string;
  account_id: string;
}

/** The text shown once everything runs: where to go, how to sign in, what to try first. */
export function banner(
  run: Run,
  localApi: string,
  dataDirectory: string,
  simulatorLives: boolean,
): string {
  const rule = '─'.repeat(78);
  const facts: [string, string][] = [
    ['Dashboard', run.dashboard_url],
    ['  email', run.admin_email],
    ['  password', run.admin_password],
    ['API', run.api_url],
    ['  API key', run.api_key],
    [
      'Simulator',
      run.simulator_url + (simulatorLives ? '  (plays WhatsApp: nothing leaves this machine)' : ''),
    ],
    ['Data', dataDirectory],
  ];
  const message = {
    to: '+14155550123',
    body: 'Has your order arrived?',
    buttons: [
      { id: 'yes', title: 'Yes' },
      { id: 'no', title: 'No' },
    ],
  };
  return [
    '',
    rule,
    '  Parley is running. Press Ctrl-C to stop; your data stays.',
    rule,
    ...facts.map(([name, value]) => `  ${name.padEnd(12)}${value}`),
    '',
    '  Send a first message:',
    '',
    `curl -sS ${localApi}/api/v1/external/messages/interactive/button \\`,
    `  -H 'X-API-Key: ${run.api_key}' \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${JSON.stringify(message)}'`,
    rule,
    '',
  ].join('\n');
}
