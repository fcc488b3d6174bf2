import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { phoneForms } from '#libs/phone-numbers';
import { GroupCommit } from '../../database/group-commit.js';
import { LOGGER } from '../../logging/logging.module.js';
import type { NumberForm } from '../contact.js';
import { RecentKeys } from './recent-keys.js';

/** Stores forms, committed. */
export type FormLearner = (told: readonly NumberForm[]) => Promise<void>;

/** Each is some statements of its own, and they hold the turn of their account. */
const groupMaxSize = 50;

/**
 * What the platform calls the numbers that we write to. Nearly always it is the number itself, which costs a comparison;
 * another form is stored once. What a crash loses, the answer to the next message brings again.
 */
@Injectable()
export class ToldForms {
  private readonly known = new RecentKeys();
  private readonly underWay = new Map<string, Promise<void>>();
  private learner: FormLearner | null = null;
  private readonly group = new GroupCommit<NumberForm, void>({
    commit: async (told) => {
      await this.learner?.(told);
      return told.map(() => undefined);
    },
    maxSize: groupMaxSize,
  });

  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  /** Sets what stores the forms. Before that, forms are ignored. */
  learnWith(learner: FormLearner): void {
    this.learner = learner;
  }

  /** Whether it is a form that this process does not know. */
  isNews(told: NumberForm): boolean {
    if (told.phone === told.form || this.learner === null) return false;
    return !phoneForms(told.phone).includes(told.form) && !this.known.has(keyOf(told));
  }

  /** Takes a form that the platform has used, without waiting until it is stored. */
  note(told: NumberForm): void {
    if (!this.isNews(told)) return;
    this.hear(told).catch((error: unknown) => {
      this.logger.warn({ err: error }, 'could not learn what WhatsApp calls a number');
    });
  }

  /** The same, for those who need it stored. @throws the store's error */
  async hear(told: NumberForm): Promise<void> {
    if (!this.isNews(told)) return;
    const key = keyOf(told);
    let learning = this.underWay.get(key);
    if (!learning) {
      learning = this.group
        .enqueue(told)
        .then(() => this.known.add(key))
        .finally(() => this.underWay.delete(key));
      this.underWay.set(key, learning);
    }
    await learning;
  }
}

const keyOf = ({ accountId, mode, phone, form }: NumberForm) =>
  `${accountId} ${mode} ${phone} ${form}`;
