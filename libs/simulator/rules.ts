import { isObject } from './checks.js';
import { ControlError } from './control-request.js';
import { type Answer, type Effect, faultOfNumber, readFault, type StatusPlan } from './faults.js';
import { Limiter } from './limiters.js';

/** Which sends a rule touches; every field given must fit. */
export interface RuleMatch {
  /** A number, with or without `+`; `*` at the end matches any rest. */
  to?: string;
  phone_number_id?: string;
  /**
   * The message's type: `text`, `interactive`, …; `read` marks one as read, `media` uploads a file, `management` is
   * everything else: reading a number, templates or a token, registering, subscribing.
   */
  type?: string;
}

/** A rule as the control interface shows it. */
export interface Rule {
  id: number;
  match: RuleMatch;
  /** As it was given. */
  fault: unknown;
  /** Sends that the rule will still touch; null: all until it is deleted. */
  times: number | null;
  /** Sends that it has touched. */
  matched: number;
}

/** What faults have in store for one send. */
export interface SendPlan {
  delayMs: number;
  held: boolean;
  /** What the platform calls the recipient's number; null: what it calls numbers of that country. */
  waId: string | null;
  statuses: StatusPlan;
  ending: { accept: boolean; answer: Answer } | null;
}

interface ActiveRule extends Rule {
  effect: Effect;
  limiter: Limiter | null;
  recipient: ((digits: string) => boolean) | null;
}

const matchKeys = ['to', 'phone_number_id', 'type'];

/** The faults on demand: what rules and recipients' numbers ask for. */
export class Rules {
  private rules: ActiveRule[] = [];
  private lastId = 0;

  /** Adds a rule from a request's body. Throws `ControlError` when it makes no sense. */
  add(body: unknown): Rule {
    if (!isObject(body)) throw new ControlError('a rule must be a JSON object');
    for (const key of Object.keys(body)) {
      if (!['match', 'fault', 'times'].includes(key)) {
        throw new ControlError(`a rule takes match, fault and times, not "${key}"`);
      }
    }
    const { times = null } = body;
    if (times !== null && !(typeof times === 'number' && Number.isInteger(times) && times > 0)) {
      throw new ControlError('times must be an integer above 0');
    }
    const match = readMatch(body.match ?? {});
    const effect = readFault(body.fault);
    const rule: ActiveRule = {
      id: ++this.lastId,
      match,
      fault: body.fault,
      times,
      matched: 0,
      effect,
      limiter: effect.limiter === undefined ? null : new Limiter(effect.limiter),
      recipient: match.to === undefined ? null : recipientTest(match.to),
    };
    this.rules.push(rule);
    return shown(rule);
  }

  list(): Rule[] {
    return this.rules.map(shown);
  }

  clear(): void {
    this.rules = [];
  }

  /** Deletes one rule; false when there is none with the id. */
  delete(id: number): boolean {
    const before = this.rules.length;
    this.rules = this.rules.filter((rule) => rule.id !== id);
    return this.rules.length < before;
  }

  /**
   * What happens to a send, null for the usual case: nothing. Rules apply in the order in which
   * they were made, the recipient's own number last; the first that ends the send has the last word.
   */
  plan(phoneNumberId: string, digits: string, type: string, nowMs: number): SendPlan | null {
    let plan: SendPlan | null = null;
    for (const rule of this.rules) {
      if (!matches(rule, phoneNumberId, digits, type)) continue;
      this.count(rule);
      plan ??= emptyPlan();
      this.take(plan, rule, phoneNumberId, digits, nowMs);
      if (plan.ending !== null) return plan;
    }
    const ofNumber = faultOfNumber(digits);
    if (ofNumber === null) return plan;
    plan ??= emptyPlan();
    apply(plan, ofNumber);
    return plan;
  }

  /**
   * What happens to a call that sends nothing. Throughput limits of the number count a `read` too;
   * other faults touch only what a rule of this very type asks for.
   */
  planCall(
    kind: 'read' | 'media' | 'management',
    phoneNumberId: string,
    digits: string,
    nowMs: number,
  ): SendPlan | null {
    let plan: SendPlan | null = null;
    for (const rule of this.rules) {
      const isCounted = kind === 'read' && rule.effect.limiter?.scope === 'number';
      const isMeant = rule.match.type === kind || isCounted;
      if (!isMeant || !matches(rule, phoneNumberId, digits, kind)) continue;
      this.count(rule);
      plan ??= emptyPlan();
      this.take(plan, rule, phoneNumberId, digits, nowMs);
      if (plan.ending !== null) break;
    }
    return plan;
  }

  private take(
    plan: SendPlan,
    { limiter, effect }: ActiveRule,
    phoneNumberId: string,
    digits: string,
    nowMs: number,
  ): void {
    const refusal = limiter?.refusal(phoneNumberId, digits, nowMs) ?? null;
    if (refusal !== null) plan.ending = { accept: false, answer: refusal };
    else apply(plan, effect);
  }

  private count(rule: ActiveRule): void {
    rule.matched++;
    if (rule.times === null) return;
    rule.times--;
    if (rule.times === 0) this.rules = this.rules.filter((other) => other !== rule);
  }
}

const emptyPlan = (): SendPlan => ({
  delayMs: 0,
  held: false,
  waId: null,
  statuses: {},
  ending: null,
});

const apply = (plan: SendPlan, effect: Effect): void => {
  plan.delayMs += effect.delayMs ?? 0;
  plan.held ||= effect.held ?? false;
  plan.waId = effect.waId ?? plan.waId;
  Object.assign(plan.statuses, effect.statuses);
  plan.ending = effect.ending ?? plan.ending;
};

const matches = (
  { match, recipient }: ActiveRule,
  phoneNumberId: string,
  digits: string,
  type: string,
): boolean =>
  (recipient === null || recipient(digits)) &&
  (match.phone_number_id === undefined || match.phone_number_id === phoneNumberId) &&
  (match.type === undefined || match.type === type);

const readMatch = (match: unknown): RuleMatch => {
  if (!isObject(match)) throw new ControlError('match must be a JSON object');
  for (const [key, value] of Object.entries(match)) {
    if (!matchKeys.includes(key)) {
      throw new ControlError(`match takes ${matchKeys.join(', ')}, not "${key}"`);
    }
    if (typeof value !== 'string' || value === '') {
      throw new ControlError(`match.${key} must be a string`);
    }
  }
  return match;
};

const recipientTest = (to: string): ((digits: string) => boolean) => {
  const wanted = to.replaceAll(/\D/g, '');
  return to.endsWith('*') ? (digits) => digits.startsWith(wanted) : (digits) => digits === wanted;
};

const shown = ({ id, match, fault, times, matched }: ActiveRule): Rule => ({
  id,
  match,
  fault,
  times,
  matched,
});
