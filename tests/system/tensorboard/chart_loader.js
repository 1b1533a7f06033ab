// SPDX-License-Identifier: BSD-3-Clause
// Stands in for the chart library, which the plugin's page loads from the network: each chart
// becomes a plain table of the data that the page hands to it. All else in the page is the
// plugin's own code. It also chooses what CHOICES says in the page's side panel.
(function () {
  "use strict";

  class Data {
    constructor() { this.columns = []; this.rows = []; }
    addColumn(type, label) {
      return this.columns.push(typeof type === "string" ? {type, label} : type) - 1;
    }
    addRow(row) { this.rows.push(row); }
    addRows(rows) { rows.forEach(row => this.addRow(row)); }
    getNumberOfRows() { return this.rows.length; }
    getNumberOfColumns() { return this.columns.length; }
    getValue(row, column) {
      const cell = this.rows[row][column];
      return cell && typeof cell === "object" && "v" in cell ? cell.v : cell;
    }
    setProperty() {}
    setProperties() {}
  }

  function shown(cell) {
    if (cell && typeof cell === "object" && "v" in cell)
      cell = "f" in cell && cell.f ? cell.f : cell.v;
    return String(cell);
  }

  function line(tag, cells) {
    const row = document.createElement("tr");
    cells.forEach(cell => {
      const element = document.createElement(tag);
      element.textContent = cell;
      row.append(element);
    });
    return row;
  }

  class Chart {
    constructor(place) { this.place = place; this.listeners = []; }
    draw(data) {
      const visible = data.columns.map((column, at) => column.role ? -1 : at).filter(at => at >= 0);
      const table = document.createElement("table");
      table.border = 1;
      table.append(line("th", visible.map(at => data.columns[at].label || "")));
      data.rows.slice(0, 200).forEach(row => table.append(line("td", visible.map(at => shown(row[at])))));
      this.place.replaceChildren(table);
      setTimeout(() => this.listeners.forEach(call => call()), 0);
    }
    clearChart() { this.place.replaceChildren(); }
    getSelection() { return []; }
    setSelection() {}
    getChartLayoutInterface() {
      return {
        getChartAreaBoundingBox: () => ({left: 0, top: 0, width: 1, height: 1}),
        getHAxisValue: x => x,
      };
    }
  }

  const visualization = {
    DataTable: Data,
    DataView: Data,
    arrayToDataTable(rows) {
      const data = new Data();
      rows[0].forEach(column => data.columns.push(typeof column === "object" ? column : {label: column}));
      data.addRows(rows.slice(1));
      return data;
    },
    events: {
      addListener(chart, event, call) {
        if (event === "ready") chart.listeners.push(call);
        return {chart, call};
      },
      removeListener() {},
    },
  };
  for (const kind of ["AreaChart", "BarChart", "ColumnChart", "ComboChart", "LineChart", "PieChart",
                      "SteppedAreaChart", "Table", "Timeline"])
    visualization[kind] = Chart;
  window.google = {
    charts: {
      load: () => Promise.resolve(),
      setOnLoadCallback: call => setTimeout(call, 0),
    },
    visualization,
  };

  // [label of a selector, text of its entry], in the order in which the panel fills them.
  const choices = CHOICES;

  function selectorOf(label) {
    const heads = [...document.querySelectorAll("li.MuiListSubheader-root")];
    const head = heads.find(element => element.textContent === label);
    return head && head.nextElementSibling && head.nextElementSibling.querySelector(".MuiSelect-root");
  }

  // One small act a turn, since the page rebuilds itself after each.
  function choose() {
    if (choices.length === 0)
      return;
    const [label, text] = choices[0];
    const selector = selectorOf(label);
    const chosen = selector && selector.textContent.replace(/\u200b/g, "").trim();
    if (chosen === text) {
      choices.shift();
    } else if (chosen) {
      const entries = [...document.querySelectorAll("ul[role=listbox] li")];
      const entry = entries.find(element => element.textContent === text);
      if (entry)
        entry.click();
      else
        selector.dispatchEvent(new MouseEvent("mousedown", {bubbles: true, button: 0}));
    }
    setTimeout(choose, 250);
  }
  choose();
})();
