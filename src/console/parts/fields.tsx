// Labelled form fields.
import type { Child, FC } from "hono/jsx/dom";

type FieldProps = {
  readonly label: string;
  readonly name: string;
  readonly onValue: (value: string) => void;
  readonly value?: string;
  readonly type?: string;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly list?: string;
};

export const TextField: FC<FieldProps> = ({ label, name, onValue, value, type, placeholder, required, list }) => (
  <label class="field">
    <span>{label}</span>
    <input
      type={type ?? "text"}
      name={name}
      autocomplete="off"
      value={value ?? ""}
      placeholder={placeholder ?? ""}
      required={required ?? false}
      {...(list ? { list } : {})}
      onInput={(event: Event) => onValue((event.target as HTMLInputElement).value)}
    />
  </label>
);

type SelectProps = {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onValue: (value: string) => void;
};

export const SelectField: FC<SelectProps> = ({ label, name, value, options, onValue }) => (
  <label class="field">
    <span>{label}</span>
    <select name={name} onChange={(event: Event) => onValue((event.target as HTMLSelectElement).value)}>
      {options.map(([id, text]) => (
        <option key={id} value={id} selected={id === value}>
          {text}
        </option>
      ))}
    </select>
  </label>
);

export const CheckField: FC<{ label: string; name: string; onValue: (on: boolean) => void }> = (props) => (
  <label class="check small">
    <input
      type="checkbox"
      name={props.name}
      onChange={(event: Event) => props.onValue((event.target as HTMLInputElement).checked)}
    />{" "}
    {props.label}
  </label>
);

/** A form that is sent with its button or with Enter. */
export const Form: FC<{ submit: string; busy?: boolean; onSubmit: () => void; children?: Child }> = (props) => (
  <form
    class="form"
    onSubmit={(event: Event) => {
      event.preventDefault();
      props.onSubmit();
    }}
  >
    {props.children}
    <button type="submit" class="button primary" disabled={props.busy ?? false}>
      {props.submit}
    </button>
  </form>
);
