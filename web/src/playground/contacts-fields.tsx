import { AddButton, FormSection, useList } from './interactive-parts.tsx';
import { Correlation, type FormProps, PayloadField } from './payload-field.tsx';
import { objectsAt, type Path, valueAt } from './payloads.ts';
import { RecipientField } from './recipient-field.tsx';

/** The form of contact cards: what most of them have. */
export function ContactsFields({ form }: { form: FormProps }) {
  const { items, add, remove } = useList(form, ['contacts']);
  return (
    <>
      <div className="fields">
        <RecipientField form={form} />
      </div>
      <div className="fields">
        {items.map((_, index) => (
          <ContactCard
            key={`${index}`}
            form={form}
            index={index}
            isNeeded={items.length <= 1}
            onRemove={() => remove(index)}
          />
        ))}
        {form.faults.contacts && <div className="small wrong">{form.faults.contacts}</div>}
        <div className="spread">
          <AddButton
            isFull={items.length >= 257}
            onClick={() => add({ name: { formatted_name: '', first_name: '' } })}
          >
            Contact
          </AddButton>
          <span className="small">{items.length} / 257 contacts</span>
        </div>
        <p className="small">Addresses, pages and birthdays: write them into the JSON.</p>
      </div>
      <Correlation form={form} />
    </>
  );
}

interface ContactCardProps {
  readonly form: FormProps;
  readonly index: number;
  readonly isNeeded: boolean;
  readonly onRemove: () => void;
}

function ContactCard({ form, index, isNeeded, onRemove }: ContactCardProps) {
  const path: Path = ['contacts', index];
  const name = (part: string, label: string, isOptional = false) => (
    <PayloadField
      form={form}
      path={[...path, 'name', part]}
      label={label}
      isOptional={isOptional}
    />
  );
  const optional = (part: Path, label: string, leavesOut: Path) => (
    <PayloadField
      form={form}
      path={[...path, ...part]}
      label={label}
      isOptional
      leavesOut={[...path, ...leavesOut]}
    />
  );
  /** A list whose only entry is emptied goes with it, and so does an object with its only field. */
  const whole = (list: string, field: string): Path =>
    objectsAt(form.payload, [...path, list]).length > 1 ? [list, 0, field] : [list];
  const isCompanyAlone = Object.keys(valueAt(form.payload, [...path, 'org']) ?? {}).length <= 1;
  return (
    <FormSection name={`Contact ${index + 1}`} isNeeded={isNeeded} onRemove={onRemove}>
      <div className="section-body">
        {name('formatted_name', 'Name as shown')}
        <div className="field-pair">
          {name('first_name', 'First name', true)}
          {name('last_name', 'Last name', true)}
        </div>
        <div className="field-pair">
          {optional(['phones', 0, 'phone'], 'Phone', whole('phones', 'phone'))}
          {optional(['phones', 0, 'wa_id'], 'WhatsApp id', ['phones', 0, 'wa_id'])}
        </div>
        <div className="field-pair">
          {optional(['emails', 0, 'email'], 'Email', whole('emails', 'email'))}
          {optional(['org', 'company'], 'Company', isCompanyAlone ? ['org'] : ['org', 'company'])}
        </div>
      </div>
    </FormSection>
  );
}
