import { Button, SegmentedControl, Select, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { MappedVariable, Template, TemplateParameter } from '../api/types.ts';
import { Notice } from '../parts/notice.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { type Components, componentsOf, readParameter } from '../phone/template-parameters.ts';
import { type FormProps, PayloadField } from './payload-field.tsx';
import { textAt, valueAt } from './payloads.ts';
import { changed, type PlaygroundType } from './playground-types.ts';
import { RecipientField } from './recipient-field.tsx';

/** What is known of the templates that a key can send. */
export interface TemplateChoice {
  /** Approved ones; undefined while they are read. */
  readonly templates: readonly Template[] | undefined;
  /** The chosen one. */
  readonly template: Template | undefined;
  /** Of the key's mapping for it; null when there is none. */
  readonly variables: Readonly<Record<string, MappedVariable>> | null | undefined;
  readonly keyId: string | undefined;
}

interface TemplateFieldsProps {
  readonly form: FormProps;
  readonly choice: TemplateChoice;
  readonly onWay: (type: PlaygroundType) => void;
}

const ways = [
  { value: 'template_send', label: 'Named variables' },
  { value: 'template', label: 'WhatsApp’s components' },
];

/** The form of a template: by the names of the key's mapping, or by WhatsApp's own components. */
export function TemplateFields({ form, choice, onWay }: TemplateFieldsProps) {
  const { template } = choice;
  return (
    <>
      <div className="fields">
        <SegmentedControl
          aria-label="How the template is filled"
          fullWidth
          size="xs"
          data={ways}
          value={form.type}
          onChange={(next) => onWay(next as PlaygroundType)}
        />
        <RecipientField form={form} />
        <TemplateSelect form={form} choice={choice} />
      </div>
      {template && (
        <div className="fields">
          {form.type === 'template' ? (
            <ComponentFields form={form} template={template} />
          ) : (
            <VariableFields form={form} choice={choice} />
          )}
        </div>
      )}
      <div className="fields">
        <PayloadField form={form} path={['reference']} label="Reference" isOptional />
      </div>
    </>
  );
}

function TemplateSelect({ form, choice }: Pick<TemplateFieldsProps, 'form' | 'choice'>) {
  const { templates, template } = choice;
  if (templates === undefined) return <Skeleton rows={2} />;
  const select = (id: string | null) => {
    const next = templates.find((each) => each.id === id);
    if (!next) return;
    const named = {
      ...form.payload,
      template_name: next.name,
      language: next.language,
    };
    // Values of another template mean nothing here.
    const emptied =
      form.type === 'template'
        ? changed(form.type, named, ['components'], undefined)
        : changed(form.type, named, ['variables'], {});
    form.onChange(emptied);
  };
  return (
    <Select
      label="Template"
      placeholder={templates.length === 0 ? 'No approved template' : 'Choose a template'}
      searchable
      data={templates.map(({ id, name, language }) => ({
        value: id,
        label: `${name} · ${language}`,
      }))}
      value={template?.id ?? null}
      error={form.faults.template_name ?? form.faults.language}
      onChange={select}
      nothingFoundMessage="No approved template has this name"
    />
  );
}

function VariableFields({ form, choice }: Pick<TemplateFieldsProps, 'form' | 'choice'>) {
  const { template, variables, keyId } = choice;
  if (variables === undefined) return <Skeleton rows={3} />;
  if (variables === null) {
    return (
      <Notice tone="amber">
        <b>This key has no mapping for the template.</b> A mapping names its variables. Without one,
        you must use WhatsApp’s own components.
        {template && (
          <div>
            <Button
              size="xs"
              mt={8}
              renderRoot={(props) => (
                <Link
                  to="/templates/$templateId"
                  params={{ templateId: template.id }}
                  search={keyId === undefined ? {} : { key: keyId }}
                  {...props}
                />
              )}
            >
              Name its variables
            </Button>
          </div>
        )}
      </Notice>
    );
  }
  const entries = Object.entries(variables).toSorted(
    ([, one], [, other]) => placeOrder(one) - placeOrder(other),
  );
  if (entries.length === 0) return <p className="secondary">The template has no variables.</p>;
  return entries.map(([name, variable]) => (
    <PayloadField
      key={name}
      form={form}
      path={['variables', name]}
      label={name}
      isOptional={!variable.required || (variable.default ?? null) !== null}
      {...(variable.default && { placeholder: variable.default })}
      description={placeText(variable)}
    />
  ));
}

const componentOrder = ['header', 'body', 'button'];

/** Variables are in the order in which people read their places. */
const placeOrder = ({ component, button_index: button, position }: MappedVariable) =>
  componentOrder.indexOf(component) * 10_000 + (button ?? 0) * 100 + (position ?? 1);

const placeText = ({
  component,
  position,
  parameter_name: name,
  button_index: button,
}: MappedVariable) => {
  const place = component === 'button' ? `button ${(button ?? 0) + 1}` : component;
  return `Fills ${name ? `{{${name}}}` : `{{${position ?? 1}}}`} of the ${place}.`;
};

function ComponentFields({ form, template }: { form: FormProps; template: Template }) {
  const given = valueAt(form.payload, ['components']);
  const components = (Array.isArray(given) ? given : []) as Components;
  const { parameters } = template;
  const set = (place: TemplateParameter, value: string) => {
    const values = parameters.map((each) => ({
      place: each,
      value: each === place ? value : readParameter(components, each),
    }));
    const next = componentsOf(values);
    form.onChange(
      changed(form.type, form.payload, ['components'], next.length > 0 ? next : undefined),
    );
  };
  if (parameters.length === 0) return <p className="secondary">The template has no variables.</p>;
  return parameters.map((place) => (
    <TextInput
      key={`${place.component} ${place.button_index} ${place.position}`}
      label={
        <span>
          {parameterName(place)}
          {!place.required && <span className="quiet"> optional</span>}
        </span>
      }
      placeholder={place.example ?? ''}
      value={readParameter(components, place)}
      onChange={(event) => set(place, event.currentTarget.value)}
    />
  ));
}

function parameterName({
  component,
  position,
  parameter_name: name,
  button_index,
  kind,
}: TemplateParameter) {
  const place = component === 'button' ? `Button ${(button_index ?? 0) + 1}` : component;
  const title = place.charAt(0).toUpperCase() + place.slice(1);
  if (kind !== 'text') return `${title}: ${kind.replaceAll('_', ' ')}`;
  return `${title}: ${name ?? `{{${position}}}`}`;
}

/** The name that the form's choice of a template goes by. */
export const chosenTemplate = (
  templates: readonly Template[] | undefined,
  payload: Readonly<Record<string, unknown>>,
) =>
  templates?.find(
    ({ name, language }) =>
      name === textAt(payload, ['template_name']) && language === textAt(payload, ['language']),
  );
