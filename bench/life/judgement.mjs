import { percentile } from '../figures.mjs';
import { reported } from './message-kinds.mjs';

const failuresKept = 20;

/** Compares what each part saw with what the others did, over all turns. */
export class Judgement {
  #errors = { failed: 0, unaccounted: 0, sent_twice: 0, missing: 0, doubled: 0, unexpected: 0 };
  #failures = [];

  /** `errors` are all 0 in a sound run; `failures` describe some of them. */
  outcome() {
    return { errors: this.#errors, failures: this.#failures };
  }

  /** One turn's lives: that each event came, and came once; and how late. */
  ofLives(load, { platform, receiver }) {
    this.#ofSends(load, platform);
    // In order: `sent` by the time at which the platform took the message, the others by their report's.
    const lags = [[], [], []];
    const completedAt = [];
    for (const [id, causes] of platform.records) {
      const { times, counts } = arrivalsOf(receiver.records.get(id));
      for (const [step, status] of reported.entries()) {
        const count = counts[step];
        if (count === 0) this.#note('missing', 1, `message ${id}: no event of ${status}`);
        else lags[step].push(times[step] - causes[step]);
        if (count > 1) this.#note('doubled', count - 1, `message ${id}: ${count} of ${status}`);
      }
      if (counts.every((count) => count > 0)) completedAt.push(Math.max(...times));
    }
    for (const id of receiver.records.keys()) {
      if (!platform.records.has(id)) this.#note('unexpected', 1, `message ${id}: not of this turn`);
    }
    for (const text of receiver.others) this.#note('unexpected', 1, text);
    this.#note('doubled', receiver.doubled, `${receiver.doubled} events came again after a 200`);

    const ofReports = [...lags[1], ...lags[2]].sort((a, b) => a - b);
    completedAt.sort((a, b) => a - b);
    const seconds = (completedAt.at(-1) - completedAt[0]) / 1000;
    return {
      lives: completedAt.length,
      livesPerSecond: (completedAt.length - 1) / seconds,
      lagP50Ms: percentile(ofReports, 0.5),
      lagP99Ms: percentile(ofReports, 0.99),
      sentLagP99Ms: percentile(
        lags[0].sort((a, b) => a - b),
        0.99,
      ),
      repeated: receiver.repeated,
      refusals: platform.refusals,
    };
  }

  /**
   * One turn's notifications: that as many were answered with 200 as messages were held, and that each came once to
   * the receiver of WhatsApp's own form where there is one.
   */
  ofNotifications(load, answered, receiver) {
    this.#note('failed', load.failed, ...load.failures);
    const missing = Math.abs(load.succeeded - answered);
    this.#note('missing', missing, `${load.succeeded} messages, ${answered} notifications`);
    if (receiver === null) return;
    const { relayed, doubled } = receiver;
    const lost = Math.max(0, answered - relayed);
    this.#note('missing', lost, `${relayed} of ${answered} notifications came to the receiver`);
    const more = Math.max(0, relayed - answered) + doubled;
    this.#note(
      'doubled',
      more,
      `${relayed} deliveries of ${answered} notifications, ${doubled} again`,
    );
  }

  #ofSends({ succeeded, failed, failures }, { accepted, duplicates }) {
    this.#note('failed', failed, ...failures);
    const taken = Object.values(accepted).reduce((sum, count) => sum + count, 0);
    const unaccounted = Math.abs(taken - succeeded);
    this.#note('unaccounted', unaccounted, `${succeeded} sent, the platform took ${taken}`);
    this.#note('sent_twice', duplicates, `${duplicates} messages reached the platform again`);
  }

  #note(kind, count, ...texts) {
    if (count === 0) return;
    this.#errors[kind] += count;
    this.#failures.push(...texts.slice(0, failuresKept - this.#failures.length));
  }
}

function arrivalsOf(numbers = [0, 0, 0, 0, 0, 0]) {
  return { times: numbers.slice(0, 3), counts: numbers.slice(3) };
}
