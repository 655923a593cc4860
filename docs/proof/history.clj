;; Checks a history.edn of chaos with Knossos: all answers under one key name one order.
;; Prints the keys of which that is false, and how many were checked.
(require '[knossos.cli :refer [read-history]] '[knossos.model :as model] '[knossos.wgl :as wgl])

(defrecord Key [order]
  knossos.model.Model
  (step [key op]
    (let [id (second (:value op))]
      (cond (nil? id) key
            (contains? #{nil id} order) (Key. id)
            :else (model/inconsistent (str order " and " id " under one key"))))))

(let [keys (group-by (comp first :value) (read-history (first *command-line-args*)))
      broken (remove (fn [[_ ops]] (true? (:valid? (wgl/analysis (Key. nil) ops)))) keys)]
  (doseq [[key _] broken] (println key "is not linearizable"))
  (println (count keys) "keys," (count broken) "broken")
  (System/exit (if (empty? broken) 0 1)))
