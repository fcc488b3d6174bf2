import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { decodeFloats, percentile } from '../figures.mjs';
import { messageTypes } from '../message-types.mjs';
import { watchMemory } from '../process-group.mjs';
import { fillHistory } from './history.mjs';
import { startInstallation } from './installation.mjs';
import { Judgement } from './judgement.mjs';
import { prefixes } from './message-kinds.mjs';
import { subtract } from './postgres-statistics.mjs';
import { describeTurn, perUnit, summariseLives, summariseNotifications } from './summary.mjs';

const loadGenerator = fileURLToPath(new URL('../load.mjs', import.meta.url));
/** A backlog that has not shrunk for this long never will: what is missing is lost. */
const stuckAfterMs = 60_000;
const lookEveryMs = 100;
const warmUpTailSeconds = 2;

/**
 * `npm run bench -- --life`: the whole life of a message, from the send to the webhook of its last status, in turns
 * with plain sends, of which nothing is reported.
 *
 * Returns what the report prints. `errors` holds what makes the run worthless, `failures` some of what is behind it.
 */
export async function runLife(group, options, directory, progress) {
  progress('starting PostgreSQL, the product, the platform and the receiver');
  const installation = await startInstallation(group, options, join(directory, 'own'));
  const other =
    options.against === undefined
      ? null
      : await startInstallation(
          group,
          { ...options, apis: 1, workers: 1, dead: undefined, statements: false },
          join(directory, 'other'),
          options.against,
        );
  const benchmark = new LifeBenchmark({ group, options, installation, other, progress });
  return options.notifications ? benchmark.measureNotifications() : benchmark.measureLives();
}

/** Measures turns of lives, and of what they are compared with. */
export class LifeBenchmark {
  #group;
  #options;
  #installation;
  #other;
  #progress;
  #judgement;

  constructor({ group, options, installation, other, progress }) {
    this.#group = group;
    this.#options = options;
    this.#installation = installation;
    this.#other = other;
    this.#progress = progress;
    this.#judgement = new Judgement();
  }

  async measureLives() {
    const { only, warmUpSeconds, turns, seconds, tailSeconds } = this.#options;
    await this.#installation.plan(this.#options);
    const kinds = only === 'life' ? ['life'] : ['life', 'plain'];
    if (this.#other) kinds.push('against');
    for (const kind of warmUpSeconds > 0 ? kinds : []) await this.#turn(kind, this.#warmUp);
    await this.#prepareStore();
    const memory = watchMemory(this.#installation.pids);
    const taken = { life: [], plain: [], against: [] };
    for (let number = 0; number < turns; number += 1) {
      for (const kind of number % 2 === 0 ? kinds : kinds.toReversed()) {
        taken[kind].push(await this.#turn(kind, { seconds, tailSeconds }));
      }
    }
    const peak = memory.stop();
    return {
      ...summariseLives(taken, this.#options),
      rss_mb: peak,
      ...this.#judgement.outcome(),
    };
  }

  /** Turns of lives alone, after one that does not count. @returns what the report prints, and `errors`. */
  async measureTurns(count, { seconds, tailSeconds }) {
    await this.#installation.plan(this.#options);
    await this.#turn('life', this.#warmUp);
    const life = [];
    for (let number = 0; number < count; number += 1) {
      life.push(await this.#turn('life', { seconds, tailSeconds }));
    }
    return {
      ...summariseLives({ life, plain: [], against: [] }, this.#options),
      ...this.#judgement.outcome(),
    };
  }

  /** One status each of messages that were sent before: how fast they are taken, and how fast applied. */
  async measureNotifications() {
    const { turns, warmUpSeconds, seconds, tailSeconds } = this.#options;
    await this.#installation.plan(this.#options);
    if (warmUpSeconds > 0) await this.#turnOfNotifications(this.#warmUp);
    await this.#prepareStore();
    const taken = [];
    for (let number = 0; number < turns; number += 1) {
      taken.push(await this.#turnOfNotifications({ seconds, tailSeconds }));
    }
    return { ...summariseNotifications(taken, this.#options), ...this.#judgement.outcome() };
  }

  get #warmUp() {
    const { warmUpSeconds, tailSeconds } = this.#options;
    return { seconds: warmUpSeconds, tailSeconds: Math.min(warmUpTailSeconds, tailSeconds) };
  }

  async #prepareStore() {
    const { history, snapshot } = this.#options;
    const { client } = this.#installation;
    if (history) await this.#group.orFailure(fillHistory(client, history, this.#progress));
    if (snapshot) await this.#installation.holdSnapshot();
  }

  /** Sends, waits until every event has come, and counts processor time for a while longer. */
  async #turn(kind, { seconds, tailSeconds }) {
    const installation = kind === 'against' ? this.#other : this.#installation;
    const before = await installation.readCounters();
    const startedAt = performance.now();
    const load = await this.#load(installation, kind, seconds);
    await this.#untilDone(installation);
    const doneMs = performance.now() - startedAt;
    await this.#group.orFailure(pause(tailSeconds * 1000));
    const { cpu, ...used } = subtract(await installation.readCounters(), before);
    const records = await installation.takeRecords();
    const judged = this.#judgement.ofLives(load, records);
    const count = kind === 'life' ? judged.lives : load.succeeded;
    const turn = {
      kind,
      count,
      sendsPerSecond: load.perSecond,
      sendP50Ms: load.p50Ms,
      ...judged,
      doneAfterMs: doneMs - seconds * 1000,
      cpu: perUnit(cpu, count),
      ...used,
    };
    this.#progress(describeTurn(turn));
    return turn;
  }

  async #turnOfNotifications({ seconds, tailSeconds }) {
    const installation = this.#installation;
    const { whatsappEndpoint } = this.#options;
    const load = await this.#load(installation, 'held', seconds);
    const isApplied = await this.#watchHeld();
    const before = await installation.readCounters();
    const startedAt = performance.now();
    await installation.report();
    let takenMs = null;
    let appliedMs = null;
    let hasArrived = !whatsappEndpoint;
    for (;;) {
      const elapsedMs = performance.now() - startedAt;
      if (takenMs === null && (await installation.readPlatform()).pending === 0)
        takenMs = elapsedMs;
      if (takenMs !== null && appliedMs === null && (await isApplied())) appliedMs = elapsedMs;
      hasArrived ||= (await installation.readReceiver()).relayed >= load.succeeded;
      if (appliedMs !== null && hasArrived) break;
      if (elapsedMs > 10 * stuckAfterMs) throw new Error('statuses were not applied');
      await this.#group.orFailure(pause(lookEveryMs / 5));
    }
    const arrivedMs = whatsappEndpoint ? performance.now() - startedAt : null;
    await this.#group.orFailure(pause(tailSeconds * 1000));
    const { cpu, statements } = subtract(await installation.readCounters(), before);
    const { platform, receiver } = await installation.takeRecords();
    const latencies = Float64Array.from(platform.latencies).sort();
    const count = latencies.length;
    this.#judgement.ofNotifications(load, count, whatsappEndpoint ? receiver : null);
    const turn = {
      kind: 'notifications',
      count,
      takenPerSecond: count / (takenMs / 1000),
      appliedPerSecond: count / (appliedMs / 1000),
      arrivedPerSecond: arrivedMs === null ? null : count / (arrivedMs / 1000),
      p50Ms: percentile(latencies, 0.5),
      p99Ms: percentile(latencies, 0.99),
      cpu: perUnit(cpu, count),
      statements,
    };
    this.#progress(describeTurn(turn));
    return turn;
  }

  /** Returns a function that returns whether all messages that are held now were delivered. */
  async #watchHeld() {
    const { client } = this.#installation;
    const held = `recipient like '%${prefixes.held}%' and delivered_at is null`;
    const { rows } = await client.query(
      `select min(id::text) as first, max(id::text) as last from messages where ${held}`,
    );
    const [{ first, last }] = rows;
    return async () => {
      const { rowCount } = await client.query(
        `select from messages where id between $1 and $2 and ${held} limit 1`,
        [first, last],
      );
      return rowCount === 0;
    };
  }

  async #load({ keys, ports }, kind, seconds) {
    const { connections, rate, deadShare } = this.#options;
    const { path, body } = messageTypes.button;
    const requestOf = (key, to) => ({
      headers: { 'X-API-Key': key },
      body: body.replace(`+${prefixes.life}`, `+${prefixes[to]}`),
    });
    const isLife = kind === 'life';
    const to = kind === 'against' ? 'plain' : kind;
    const plan = JSON.stringify({
      path,
      requests: (isLife ? keys.live : keys.plain).map((key) => requestOf(key, to)),
      others: keys.dead.map((key) => requestOf(key, 'dead')),
      othersShare: isLife && keys.dead.length > 0 ? deadShare : 0,
      success: '"status":"sent"',
      connections,
      ports,
      perSecond: rate,
      warmUpMs: 0,
      measureMs: seconds * 1000,
    });
    const line = await this.#group.run('load', process.execPath, [loadGenerator], {}, plan);
    const { latencies, ...counts } = JSON.parse(line);
    const sorted = decodeFloats(latencies).sort();
    return {
      ...counts,
      perSecond: sorted.length / counts.seconds,
      p50Ms: percentile(sorted, 0.5),
    };
  }

  /** Until the platform has reported everything and the receiver has got it, or nothing moves any more. */
  async #untilDone(installation) {
    let last = '';
    let movedAt = performance.now();
    while (performance.now() - movedAt < stuckAfterMs) {
      const { accepted, pending } = await installation.readPlatform();
      const { complete, arrivals } = await installation.readReceiver();
      if (pending === 0 && complete >= (accepted.life ?? 0)) return;
      const state = `${pending} ${arrivals}`;
      if (state !== last) movedAt = performance.now();
      last = state;
      await this.#group.orFailure(pause(lookEveryMs));
    }
  }
}
