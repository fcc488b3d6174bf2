import type { FormChoice } from '../../files/csv-form.ts';
import type { DoneLines } from './recipient-file.ts';
import type { ColumnPlan } from './recipient-lines.ts';

/** How far the upload of a file came. It is kept in the browser, so a closed tab loses nothing. */
export interface UploadMemory extends DoneLines {
  readonly name: string;
  readonly size: number;
  /** When the file was last changed, in milliseconds since 1970. */
  readonly modified: number;
  readonly plan: ColumnPlan;
  /** How the file was read. */
  readonly form?: FormChoice;
  /** How many recipients were uploaded until there. */
  readonly uploaded: number;
  readonly isDone: boolean;
}

const keyOf = (campaignId: string) => `parley.upload.${campaignId}`;

/** What is known of a campaign's last upload; null: nothing. */
export function recallUpload(campaignId: string): UploadMemory | null {
  const text = localStorage.getItem(keyOf(campaignId));
  return text === null ? null : (JSON.parse(text) as UploadMemory);
}

/** Keeps how far an upload is. A full storage does not end it. */
export function rememberUpload(campaignId: string, memory: UploadMemory): void {
  try {
    localStorage.setItem(keyOf(campaignId), JSON.stringify(memory));
  } catch {
    // Then the upload begins anew after a closed tab: who is there already is left out.
  }
}

export const forgetUpload = (campaignId: string) => localStorage.removeItem(keyOf(campaignId));

/** Whether a chosen file is the one that the memory is of. */
export const isSameFile = (memory: UploadMemory, file: File) =>
  memory.name === file.name && memory.size === file.size && memory.modified === file.lastModified;
