import { until } from '../support/until.js';
import type { DashboardBrowser, Visit } from './dashboard-browser.js';

interface Planned {
  readonly name: string;
  /** How many recipients. */
  readonly count: number;
  /** The second of them, whose message fails; default: nobody on WhatsApp. */
  readonly failing?: string;
  readonly perSecond?: number;
}

const variables = { customer: 'Priya', order: '58213', day: 'Monday', track: '58213' };

/** Gives the demo key a mapping, without which it has no template for a campaign. */
export async function mapTemplate(visit: Visit): Promise<{ name: string; language: string }> {
  const template = await until(async () => {
    const { templates } = await visit.get('/templates?name=order_confirmation&mode=live');
    return templates[0];
  });
  const { api_keys: keys } = await visit.get('/api-keys');
  const { id: keyId } = keys.find((each: any) => each.name === 'demo');
  const body = (position: number) => ({ component: 'body', position, required: true });
  await visit.put(`/api-keys/${keyId}/template-mappings/${template.id}`, {
    variables: {
      customer: body(1),
      order: body(2),
      day: body(3),
      track: { component: 'button', button_index: 0, position: 1, required: true },
    },
  });
  return template;
}

/** Starts a campaign of the demo key, as a program does. @returns its id */
export async function startCampaign(
  browser: DashboardBrowser,
  visit: Visit,
  { name, count, failing = '+15550131026', perSecond }: Planned,
): Promise<string> {
  const template = await mapTemplate(visit);
  const ask = async (path: string, given: object) => {
    const answer = await browser.call(browser.run.api_key, `/campaigns${path}`, given);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.body.data;
  };
  const { campaign } = await ask('', {
    name,
    template_name: template.name,
    language: template.language,
    ...(perSecond && { per_second: perSecond }),
  });
  const recipients = Array.from({ length: count }, (_, index) => ({
    to: index === 1 ? failing : `+4477001${String(10_000 + index)}`,
    variables,
    reference: `11-${index}`,
  }));
  await ask(`/${campaign.id}/recipients`, { recipients });
  await ask(`/${campaign.id}/start`, {});
  return campaign.id;
}
