import { until } from '../support/until.js';
import type { ChaosInstallation } from './installation.js';

/** A campaign as the API shows it. */
export interface Campaign {
  readonly id: string;
  readonly status: string;
  readonly reason: string | null;
  readonly counts: Readonly<Record<string, number>>;
}

/** Calls about the campaigns of one key, which go on while processes are killed. */
export class CampaignCalls {
  constructor(
    private readonly chaos: ChaosInstallation,
    private readonly apiKey: string,
  ) {}

  /** Asks until it is answered: a process may just have been killed. A repetition changes nothing. */
  async surely(method: string, path: string, body?: object, name = ''): Promise<any> {
    const key = `chaos-${path}-${name}-${JSON.stringify(body ?? null).slice(0, 40)}`;
    let answer: any;
    return until(async () => {
      answer = await this.ask(method, path, body, key);
      return answer?.success || answer?.error?.code === 'CAMPAIGN_STATE'
        ? (answer.data ?? {})
        : undefined;
    }, 30_000).catch(() => {
      throw new Error(`${method} ${path} ${name}: ${JSON.stringify(answer)}`);
    });
  }

  steer(id: string, verb: string): Promise<any> {
    return this.surely('POST', `/${id}/${verb}`);
  }

  async read(id: string): Promise<Campaign | undefined> {
    return (await this.ask('GET', `/${id}`))?.data?.campaign;
  }

  /** Resolves once the campaign is in the status, and paused for the reason if one is given. */
  async becomes(id: string, status: string, reason: string | null = null): Promise<void> {
    let campaign: Campaign | undefined;
    await until(async () => {
      campaign = (await this.read(id)) ?? campaign;
      return campaign?.status === status && (reason === null || campaign.reason === reason);
    }, 60_000).catch(() => {
      const is = JSON.stringify([campaign?.status, campaign?.reason, campaign?.counts]);
      throw new Error(`I22 the campaign ${id} is not ${status} ${reason ?? ''}, but ${is}`);
    });
  }

  private async ask(method: string, path: string, body?: object, key?: string): Promise<any> {
    try {
      const response = await fetch(
        `${this.chaos.balancer.next()}/api/v1/external/campaigns${path}`,
        {
          method,
          headers: {
            'X-API-Key': this.apiKey,
            'Content-Type': 'application/json',
            ...(key && body && { 'Idempotency-Key': key }),
          },
          ...(body && { body: JSON.stringify(body) }),
        },
      );
      return await response.json();
    } catch {
      return undefined;
    }
  }
}

/** The clock of the database. */
export async function clockOf(chaos: ChaosInstallation): Promise<string> {
  const [row] = await chaos.postgres.sql<{ now: string }>('select clock_timestamp()::text as now');
  return row?.now ?? '';
}
