/** Names that programs give to the column of phone numbers, the surest first. */
const phoneNames = [
  'whatsapp',
  'whatsapp_number',
  'phone',
  'phone_number',
  'mobile',
  'mobile_phone',
  'mobile_number',
  'mobilephone',
  'cell',
  'cell_phone',
  'cellphone',
  'celular',
  'móvil',
  'handy',
  'handynummer',
  'mobil',
  'msisdn',
  'telephone',
  'telefon',
  'telefonnummer',
  'teléfono',
  'telefono',
  'telefone',
  'téléphone',
  'tel',
  'contact_number',
  'wa_id',
  'number',
];

/** The same of the column of WhatsApp's user ids. */
const userIdNames = ['to_user_id', 'user_id', 'bsuid'];

/** The columns that a person can be reached by, and all that a file may have in their place. */
export const columnNames = {
  recipient: ['to', ...phoneNames, 'recipient', ...userIdNames],
  phone: phoneNames,
  userId: userIdNames,
  reference: ['reference', 'customer_no', 'customer_id', 'id'],
} as const;

/** `First-Name ` as `first_name`. */
export const plainName = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');

/** Whether a cell is a name of the column of recipients. */
export const isRecipientName = (cell: string) => columnNames.recipient.includes(plainName(cell));

/** The column with the best of the wanted names, by index; null: none has one. */
export function columnOf(columns: readonly string[], wanted: readonly string[]): number | null {
  const names = columns.map(plainName);
  const best = wanted.find((name) => names.includes(name));
  return best === undefined ? null : names.indexOf(best);
}
