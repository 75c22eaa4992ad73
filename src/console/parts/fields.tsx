// Defines labelled form fields.
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

type CheckProps = {
  readonly label: string;
  readonly name: string;
  readonly checked?: boolean;
  readonly onValue: (on: boolean) => void;
};

export const CheckField: FC<CheckProps> = (props) => (
  <label class="check small">
    <input
      type="checkbox"
      name={props.name}
      checked={props.checked ?? false}
      onChange={(event: Event) => props.onValue((event.target as HTMLInputElement).checked)}
    />{" "}
    {props.label}
  </label>
);

type FileProps = {
  readonly label: string;
  readonly note: string;
  readonly accept: string;
  readonly onFile: (file: File) => void;
};

export const FileField: FC<FileProps> = ({ label, note, accept, onFile }) => (
  <label class="field">
    <span>{label}</span>
    <input
      type="file"
      accept={accept}
      onChange={(event: Event) => {
        const [file] = (event.target as HTMLInputElement).files ?? [];
        if (file) onFile(file);
      }}
    />
    <span class="quiet small">{note}</span>
  </label>
);

/** A form that is submitted with its button or with Enter. */
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
