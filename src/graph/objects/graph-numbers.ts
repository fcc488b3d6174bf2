import { Injectable } from '@nestjs/common';
import { minuteMs } from '#libs/durations';
import { PlatformRequestError } from '#libs/whatsapp';
import type { Principal } from '../../access/principal.js';
import { unavailable } from '../../errors/app-error.js';
import { platformFailure } from '../../messages/platform-failure.js';
import { type ModeClients, PlatformClients } from '../../platform/platform-clients.js';
import { GraphError } from '../graph-errors.js';
import { type GraphQuery, picked } from '../graph-query.js';
import { failed } from '../messages/graph-failures.js';

const timeoutMs = 10_000;
const connections = 4;

/** How long an answer of the platform is good for. */
const freshMs = minuteMs;

/** The most answers that a process keeps. */
const keptMax = 10_000;

const defaultFields = [
  'verified_name',
  'code_verification_status',
  'display_phone_number',
  'quality_rating',
  'platform_type',
  'throughput',
];

interface Kept {
  readonly at: number;
  readonly version: number;
  readonly node: Promise<{ readonly id: unknown }>;
}

/** The number of a key as the platform describes it, asked at most once a minute. */
@Injectable()
export class GraphNumbers {
  private readonly clients: ModeClients;
  private readonly kept = new Map<string, Kept>();

  constructor(private readonly platform: PlatformClients) {
    this.clients = platform.open({ connections, timeoutMs });
  }

  /** @throws GraphError for what the platform says; AppError SERVICE_UNAVAILABLE, VALIDATION_ERROR */
  async get(caller: Principal, query: GraphQuery): Promise<object> {
    return picked(await this.nodeOf(caller), query, defaultFields);
  }

  private nodeOf(caller: Principal): Promise<{ readonly id: unknown }> {
    const key = `${caller.accountId} ${caller.mode}`;
    const known = this.kept.get(key);
    const isFresh =
      known && performance.now() - known.at < freshMs && known.version >= caller.accountVersion;
    if (isFresh) return known.node;
    const node = this.ask(caller);
    if (this.kept.size >= keptMax) this.kept.clear();
    const kept = { at: performance.now(), version: caller.accountVersion, node };
    this.kept.set(key, kept);
    // What WhatsApp has refused it would refuse again.
    node.catch((error: unknown) => {
      if (!(error instanceof GraphError) && this.kept.get(key) === kept) this.kept.delete(key);
    });
    return node;
  }

  private async ask({ accountId, mode }: Principal): Promise<{ readonly id: unknown }> {
    const client = this.clients[mode];
    if (!client) throw unavailable('no_simulator', 'There is no simulator for test keys.');
    const sender = await this.platform.credentialsOf(accountId);
    try {
      return await client.describePhoneNumber(sender);
    } catch (error) {
      if (!(error instanceof PlatformRequestError)) throw error;
      if (error.error) {
        throw failed(sender.phoneNumberId, platformFailure(error.error, error.httpStatus ?? 400));
      }
      throw unavailable('platform_unavailable', 'WhatsApp cannot be reached; try again later.');
    }
  }
}
